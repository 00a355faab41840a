import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { dataRoot, findRunFile, folderName, type Machine } from "../../obsidian-plugin/src/sidecar/discovery";

const sha256 = (text: string) => Promise.resolve(createHash("sha256").update(text).digest("hex"));

function machine(files: Record<string, unknown>, more: Partial<Machine> = {}): Machine {
  return {
    platform: "linux",
    home: "/home/anna",
    env: {},
    realPath: (path) => Promise.resolve(path.replace("/link", "/Meine Notizen")),
    readText: (path) => (path in files ? Promise.resolve(JSON.stringify(files[path])) : Promise.reject(new Error("ENOENT"))),
    sha256,
    ...more,
  };
}

const RUN = { url: "http://127.0.0.1:4711", token: "t", vault: "/home/anna/Meine Notizen", version: "1", port: 4711, pid: 1 };

test("the data folder of each platform", () => {
  expect(dataRoot({ platform: "linux", home: "/h", env: {} })).toBe("/h/.local/share/mindnet");
  expect(dataRoot({ platform: "linux", home: "/h", env: { XDG_DATA_HOME: "/x" } })).toBe("/x/mindnet");
  expect(dataRoot({ platform: "darwin", home: "/h", env: {} })).toBe("/h/Library/Application Support/mindnet");
  expect(dataRoot({ platform: "win32", home: "C:\\h", env: { LOCALAPPDATA: "C:\\l" } })).toBe("C:\\l\\mindnet\\mindnet");
});

test("a vault's folder is its slug and the start of a hash of its real path", async () => {
  const hash = createHash("sha256").update("/home/anna/Meine Notizen").digest("hex").slice(0, 12);
  expect(await folderName("/home/anna/Meine Notizen", sha256)).toBe(`meine-notizen-${hash}`);
  expect(await folderName("/x/日本", sha256)).toMatch(/^vault-[0-9a-f]{12}$/);
});

test("the run file is found by the computed name, through a link to the vault", async () => {
  const folder = `/home/anna/.local/share/mindnet/${await folderName("/home/anna/Meine Notizen", sha256)}`;
  const found = await findRunFile("/home/anna/link", machine({ [`${folder}/run.json`]: RUN }));
  expect(found).toEqual({ url: RUN.url, token: "t", vault: RUN.vault, version: "1" });
});

test("the map of vaults leads to a folder of any name", async () => {
  const root = "/home/anna/.local/share/mindnet";
  const files = { [`${root}/vaults.json`]: { [RUN.vault]: "/else/where" }, "/else/where/run.json": RUN };
  expect((await findRunFile(RUN.vault, machine(files)))?.url).toBe(RUN.url);
});

test("a folder given by the environment is the only one looked at", async () => {
  const env = { MINDNET_DATA_DIR: "/data" };
  expect((await findRunFile(RUN.vault, machine({ "/data/run.json": RUN }, { env })))?.url).toBe(RUN.url);
});

test("without a run file, or with a broken one, nothing is found", async () => {
  expect(await findRunFile("/v", machine({}))).toBeNull();
  expect(await findRunFile("/v", machine({ "/data/run.json": { url: 5 } }, { env: { MINDNET_DATA_DIR: "/data" } }))).toBeNull();
});
