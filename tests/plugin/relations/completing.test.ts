import { Events } from "obsidian";
import { describe, expect, test, vi } from "vitest";
import { completingAt, kindText, notesMatching } from "../../../obsidian-plugin/src/relations/completing";
import { Kinds } from "../../../obsidian-plugin/src/relations/kinds";
import type { ConnectionState } from "../../../obsidian-plugin/src/sidecar/connection";
import { SidecarError } from "../../../obsidian-plugin/src/sidecar/transport";
import type { ConfigOut } from "../../../obsidian-plugin/src/sidecar/wire";
import { status } from "../samples";

const CONFIG: ConfigOut = {
  kinds: [
    { name: "part_of", aliases: ["teil_von", "is_part_of"], inverse: "has_part", symmetric: false },
    { name: "solves", aliases: ["löst", "fixes"], inverse: "solved_by", symmetric: false },
    { name: "inspired_by", aliases: [], inverse: null, symmetric: false },
  ],
  types: [],
  candidate_headings: ["Ideas"],
  folder: "/config",
  settings: [],
};

/** The part of a connection that kinds need; counts how often it is asked. */
class Sidecar {
  readonly events = new Events();
  state: ConnectionState = { kind: "absent" };
  asked = 0;
  config = (): Promise<ConfigOut> => {
    this.asked += 1;
    return Promise.resolve(CONFIG);
  };

  become(state: ConnectionState): void {
    this.state = state;
    this.events.trigger("state", state);
  }
}

const known = (kind: string) => ["uses", "part_of", "teil von"].includes(kind);
/** What is completed where `|` stands in the last line. */
function at(text: string) {
  const lines = text.split("\n");
  const line = lines.length - 1;
  const ch = lines[line]!.indexOf("¦");
  lines[line] = lines[line]!.replace("¦", "");
  const found = completingAt((one) => lines[one]!, line, ch, known);
  return found === null ? null : `${found.what} ${found.form} ${JSON.stringify(found.typed)}`;
}

describe("what is being written", () => {
  test.each([
    ["rel:¦", 'kind rel ""'],
    ["so rel: teil¦", 'kind rel "teil"'],
    ["rel: candidate:us¦", 'kind rel "us"'],
    ["[[rel:us¦]]", 'kind link "us"'],
    ["> [!edge] ¦", 'kind callout ""'],
    ["> [!edge]- pa¦", 'kind callout "pa"'],
    ["> [!edge] uses: [[A]] pa¦", 'kind callout "pa"'],
    ["> [!edge]\n> us¦", 'kind callout "us"'],
    ["rel: uses ¦", 'note rel ""'],
    ["rel: uses [[A]], sour d¦", 'note rel "sour d"'],
    ["[[rel:uses sour¦]]", 'note link "sour"'],
    ["[[rel:uses|so¦]]", 'note link "so"'],
    ["> [!edge]\n> - teil von: so¦", 'note callout "so"'],
    ["> [!edge] uses: [[A]] part_of: ¦", 'note callout ""'],
  ])("%j is %s", (text, expected) => expect(at(text)).toBe(expected));

  test.each(["¦", "a word¦", "barrel:¦", "rel: unknown word ¦", "rel: uses [[A]]. And¦", "rel: uses [[A]]¦", "rel: uses [[A]] and so¦", "> quoted us¦", "> [!edge]\n> ¦", "> [!note] us¦", "> [!edge] uses: [[A¦", "http://rel:us¦", "> [!edge] uses: [[A]]\n\n> us¦"])(
    "%j is left in peace",
    (text) => expect(at(text)).toBeNull(),
  );
});

test("a kind is put in with what leads on to the note, and only once", () => {
  expect([kindText("rel", "uses", ""), kindText("rel", "uses", " [[A]]"), kindText("link", "uses", "]]"), kindText("link", "uses", "|A]]")]).toEqual(["uses ", "uses", "uses ", "uses"]);
  expect([kindText("callout", "uses", ""), kindText("callout", "uses", ": [[A]]")]).toEqual(["uses: ", "uses"]);
});

test("notes whose name begins so come first, and folders are searched as well", () => {
  const notes = ["Bread/Sour dough.md", "Sour.md", "Sourness.md", "Sour/Lemon.md"].map((path) => ({ path, basename: path.replace(/^.*\/|\.md$/g, "") }));
  expect(notesMatching(notes, "sour", 9).map(({ path }) => path)).toEqual(["Sour.md", "Bread/Sour dough.md", "Sourness.md", "Sour/Lemon.md"]);
  expect(notesMatching(notes, "dough bread", 9).map(({ path }) => path)).toEqual(["Bread/Sour dough.md"]);
  expect(notesMatching(notes, "", 2)).toHaveLength(2);
});

describe("the kinds", () => {
  test("are the plugin's own until the sidecar comes, and are asked for once each time", async () => {
    const sidecar = new Sidecar();
    const kinds = new Kinds(sidecar);
    kinds.load();
    expect(kinds.isKnown("depends_on")).toBe(true);
    sidecar.become({ kind: "ready", status: status() });
    sidecar.become({ kind: "ready", status: status({ state: "indexing" }) });
    await vi.waitFor(() => expect(kinds.names).toEqual(["part_of", "solves", "inspired_by"]));
    expect([sidecar.asked, kinds.candidateHeadings, kinds.isKnown("depends_on")]).toEqual([1, ["Ideas"], false]);
    sidecar.become({ kind: "absent" });
    sidecar.become({ kind: "ready", status: status() });
    expect(sidecar.asked).toBe(2);
  });

  test("stay the plugin's own with a sidecar that has no vocabulary to tell", async () => {
    const sidecar = new Sidecar();
    sidecar.config = () => Promise.reject(new SidecarError("failed", "Not Found", "", "http"));
    const kinds = new Kinds(sidecar);
    kinds.load();
    sidecar.become({ kind: "ready", status: status() });
    await Promise.resolve();
    expect(kinds.isKnown("depends_on")).toBe(true);
  });

  test("are found by their German and English names, each once and by its nearest", async () => {
    const sidecar = new Sidecar();
    sidecar.state = { kind: "ready", status: status() };
    const kinds = new Kinds(sidecar);
    kinds.load();
    await vi.waitFor(() => expect(kinds.names).toContain("inspired_by"));
    expect(kinds.matching("teil")).toEqual([{ written: "teil_von", kind: "part_of" }]);
    expect(kinds.matching("loe")).toEqual([{ written: "löst", kind: "solves" }]);
    expect(kinds.matching("by").map(({ written }) => written)).toEqual(["inspired_by"]);
    expect(kinds.matching("part")[0]).toEqual({ written: "part_of", kind: "part_of" });
    expect(kinds.matching("")).toHaveLength(3);
    expect([kinds.nameOf("Teil von"), kinds.nameOf("LOEST"), kinds.nameOf("Of my own")]).toEqual(["part_of", "solves", "of_my_own"]);
  });
});
