/** What a new user meets: a vault that knows nothing of mindnet, and the plugin put into it as the README says. */
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { indexed } from "./harness";
import { command, openNote, violations } from "./pages";
import { startSession } from "./session";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const NOTES = {
  "Garten/Hochbeet.md": "# Hochbeet\n\nIm März neu gefüllt: unten Äste, dann Laub, dann [[Kompost]].\n\nSchnecken kommen kaum hoch, wenn das Kupferband sauber ist.\n",
  "Garten/Kompost.md": "# Kompost\n\nKüchenabfälle und trockenes Laub im Wechsel. Ist er zu nass, riecht er faul.\n\nSiehe auch [[Wurmkiste]].\n",
  "Garten/Tomaten 2025.md": "# Tomaten 2025\n\nDie Braunfäule kam Ende Juli nach drei Wochen Regen. Ohne Dach keine Chance.\n\nNächstes Jahr ein Dach aus Folie über dem [[Hochbeet]], Sorten aus [[Seed order]].\n",
  "Seed order.md": "# Seed order\n\nBlack Cherry, Matina, Ruthje. Matina resisted blight best in the trial.\n\nPay before the 15th of January.\n",
  "Wurmkiste.md": "# Wurmkiste\n\nSteht im Keller bei 15 Grad. Die Würmer mögen keine Zitrusschalen.\n",
  "Reisen/Lissabon.md": "# Lissabon\n\nMit dem Nachtzug bis Hendaye. Die Tram 28 ist morgens vor acht leer. Tipp von [[Ana]].\n",
  "Ana.md": "# Ana\n\nMet at the compost workshop in 2023. Lives in Lisbon, works on soil microbes.\n",
  "The Soil Will Save Us.md": "Kristin Ohlson on carbon in soils: living roots all year round feed the microbes.\n\nRelated: [[Kompost]], [[Ana]], [[A book that I still have to read]].\n",
  "Haus/Heizung.md": "# Heizung\n\nDer Druck fiel auf 0,8 bar, weil das Ausdehnungsgefäß defekt war.\n",
  "Todo.md": "- [ ] [[Heizung]] Termin machen\n- [ ] call [[Ana]] about the workshop\n",
};

const session = startSession(NOTES, false);

test("from the plugin's files in the vault to the first answer with its reasons, a badge and a thumb", async () => {
  const { vault, sidecar, dataDir } = session.harness;
  const plugin = join(vault, ".obsidian/plugins/mindnet");
  await promisify(execFile)(process.execPath, [join(ROOT, "scripts/release_plugin.mjs"), plugin]);

  await sidecar.stop();
  const page = await session.open({ language: "de", plugin });
  await page.locator(".mindnet-status", { hasText: "mindnet: aus" }).waitFor();
  await command(page, "search");
  await page.locator(".mindnet-notice", { hasText: "Der Sidecar läuft nicht" }).waitFor();
  await page.getByRole("button", { name: "Zeigen, was zu tun ist" }).click();
  await page.locator(".mindnet-doctor .mindnet-check-fix", { hasText: "make run VAULT=" }).waitFor();
  await session.pictures.take(page, "first-without");

  await indexed(await sidecar.start());
  await page.locator(".mindnet-status", { hasText: "mindnet: aktuell" }).waitFor();
  await page.locator(".mindnet-doctor li[data-ok=true]", { hasText: "10 Notizen im Index" }).waitFor();
  await page.locator(".mindnet-doctor li", { hasText: "Sprachmodell für den Chat" }).waitFor();

  await command(page, "search");
  await page.getByRole("searchbox").fill("Wann kam die Braunfäule an die Tomaten?");
  await page.keyboard.press("Enter");
  const hit = page.locator(".mindnet-hit").first();
  await hit.locator(".mindnet-hit-title", { hasText: "Tomaten 2025" }).waitFor();
  await hit.getByRole("button", { name: "Warum dieses Ergebnis" }).click();
  await hit.locator(".mindnet-reasons li[data-part=lexical]", { hasText: "Braunfäule" }).waitFor();
  await hit.getByRole("button", { name: /^Hilfreich: Tomaten/ }).click();
  await hit.locator("[aria-pressed=true]").waitFor();
  await expect.poll(async () => readFile(join(dataDir, "logs/feedback.jsonl"), "utf8")).toContain('"score":5');
  await openNote(page, "The Soil Will Save Us.md");
  const badges = page.locator(".cm-line .mindnet-edge-badge");
  await badges.first().waitFor();
  expect(await badges.allTextContents()).toEqual(["", "", "keine solche Notiz"]);
  expect(await violations(page, ".mod-right-split, .status-bar")).toEqual([]);
  await session.pictures.take(page, "first-answer");

  await command(page, "chat");
  await page.locator(".mindnet-composer textarea").fill("Welche Sorte hielt der Braunfäule stand?");
  await page.keyboard.press("Enter");
  await page.locator(".mindnet-turn[data-phase=failed] .mindnet-source", { hasText: "Seed order" }).first().waitFor();
  await page.locator(".mindnet-notice", { hasText: "Kein Sprachmodell antwortet." }).waitFor();
  await session.pictures.take(page, "first-chat");
});
