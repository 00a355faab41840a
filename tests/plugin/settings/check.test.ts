import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { translator } from "../../../obsidian-plugin/src/i18n";
import { checkConnection, type CheckTarget } from "../../../obsidian-plugin/src/settings/check";
import { FakeSidecar, TOKEN } from "../fake-sidecar";
import { status } from "../samples";

vi.mock("obsidian", async (original) => ({ ...(await original<object>()), ...(await import("../app")) }));

const t = translator(() => "en");
let sidecar: FakeSidecar;

beforeEach(async () => {
  sidecar = await FakeSidecar.start();
});
afterEach(() => sidecar.stop());

async function check(changed: Partial<CheckTarget> = {}) {
  const target = { find: () => Promise.resolve({ url: sidecar.url, token: TOKEN }), vault: "/vaults/Notes", bySelf: true, canStart: false, ...changed };
  return checkConnection(target, t);
}
const last = async (changed: Partial<CheckTarget> = {}) => (await check(changed)).at(-1);

describe("the check", () => {
  test("names each step when all is well", async () => {
    expect(await check()).toEqual(["Run file of the sidecar", "Answer of the sidecar", "Access with the token", "Vault of the sidecar", "3 notes indexed"].map((text) => ({ ok: true, text })));
  });

  test("says how to start one for this vault when there is no run file", async () => {
    expect(await check({ find: () => Promise.resolve(null) })).toEqual([{ ok: false, text: "Run file of the sidecar", fix: expect.stringContaining('In mindnet’s folder: make run VAULT="/vaults/Notes"') as string, mend: { does: "copy", command: 'make run VAULT="/vaults/Notes"' } }]);
    expect(await last({ find: () => Promise.resolve(null), canStart: true })).toMatchObject({ ok: false, mend: { does: "start" } });
  });

  test("asks for an address where none is set by hand", async () => {
    expect(await last({ find: () => Promise.resolve(null), bySelf: false })).toMatchObject({ ok: false, text: "Address by hand", fix: "Enter the address of the sidecar." });
  });

  test("says on mobile what is not there, and what to do", async () => {
    expect(await last({ find: () => Promise.resolve("mobile") })).toMatchObject({ ok: false, fix: expect.stringContaining("runs on the desktop") as string });
  });

  test("tells a stopped sidecar by its silence", async () => {
    const { url } = sidecar;
    await sidecar.stop();
    expect(await last({ find: () => Promise.resolve({ url, token: TOKEN }) })).toMatchObject({ ok: false, text: "Answer of the sidecar" });
    sidecar = await FakeSidecar.start();
  });

  test("tells a wrong token", async () => {
    expect(await last({ find: () => Promise.resolve({ url: sidecar.url, token: "wrong" }) })).toMatchObject({ ok: false, text: "Access with the token", fix: "Correct the token in these settings." });
  });

  test("tells another vault's sidecar, and goes on", async () => {
    const lines = await check({ vault: "/vaults/Other" });
    expect(lines[3]).toMatchObject({ ok: false, fix: expect.stringContaining("/vaults/Notes") as string });
    expect(lines[4]).toMatchObject({ ok: true });
  });

  test("tells an empty index", async () => {
    sidecar.status = status({ notes: 0 });
    expect(await last()).toMatchObject({ ok: false, text: "0 notes indexed" });
  });
});
