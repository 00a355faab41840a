import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { dataRoot, findRunFile, folderName, type Machine } from "../../../obsidian-plugin/src/sidecar/discovery";

const sha256 = (text: string) => Promise.resolve(createHash("sha256").update(text).digest("hex"));

function machine(files: Record<string, string>, changed: Partial<Machine> = {}): Machine {
  return {
    platform: "linux",
    home: "/home/ann",
    env: {},
    realPath: (path) => Promise.resolve(path),
    readText: (path) => {
      const text = files[path];
      return text === undefined ? Promise.reject(new Error(`ENOENT: ${path}`)) : Promise.resolve(text);
    },
    sha256,
    ...changed,
  };
}

const run = (port: number) => JSON.stringify({ url: `http://127.0.0.1:${port}`, port, pid: 1, token: "t", version: "0.1.0", vault: "/home/ann/Notes" });

describe("the user's data folder", () => {
  test.each([
    ["linux", { platform: "linux", env: {} }, "/home/ann/.local/share/mindnet"],
    ["linux with XDG", { platform: "linux", env: { XDG_DATA_HOME: "/data" } }, "/data/mindnet"],
    ["macOS", { platform: "darwin", env: {} }, "/home/ann/Library/Application Support/mindnet"],
    ["Windows", { platform: "win32", env: { LOCALAPPDATA: "C:\\L" } }, "C:\\L\\mindnet\\mindnet"],
  ])("of %s", (_, given, expected) => {
    expect(dataRoot({ home: "/home/ann", ...given })).toBe(expected);
  });
});

describe("a vault's folder name", () => {
  test.each([
    ["/home/ann/Zettelkasten", "zettelkasten-@"],
    ["/home/ann/Über Brot & Käse", "uber-brot-kase-@"],
    ["/home/ann/日本語", "vault-@"],
    ["C:\\Users\\Ann\\My Notes", "my-notes-@"],
  ])("of %s", async (path, expected) => {
    expect(await folderName(path, () => Promise.resolve("@"))).toBe(expected);
  });

  // The digits are those of `printf %s /home/ann/Notes | sha256sum`.
  test("ends with the first twelve digits of the hash of its path", async () => {
    expect(await folderName("/home/ann/Notes", sha256)).toBe("notes-2c63e5c7686d");
  });
});

describe("the run file", () => {
  test("is found in the vault's folder", async () => {
    const folder = await folderName("/home/ann/Notes", sha256);
    const files = { [`/home/ann/.local/share/mindnet/${folder}/run.json`]: run(1) };
    expect(await findRunFile("/home/ann/Notes", machine(files))).toEqual({ url: "http://127.0.0.1:1", token: "t", version: "0.1.0", vault: "/home/ann/Notes" });
  });

  test("is looked for under the real path of a vault behind a symbolic link", async () => {
    const folder = await folderName("/home/ann/Notes", sha256);
    const files = { [`/home/ann/.local/share/mindnet/${folder}/run.json`]: run(2) };
    const linked = machine(files, { realPath: () => Promise.resolve("/home/ann/Notes") });
    expect((await findRunFile("/mnt/link", linked))?.url).toBe("http://127.0.0.1:2");
  });

  test("is where vaults.json says, before anywhere else", async () => {
    const folder = await folderName("/home/ann/Notes", sha256);
    const root = "/home/ann/.local/share/mindnet";
    const files = {
      [`${root}/vaults.json`]: JSON.stringify({ "/home/ann/Notes": "/elsewhere" }),
      "/elsewhere/run.json": run(3),
      [`${root}/${folder}/run.json`]: run(4),
    };
    expect((await findRunFile("/home/ann/Notes", machine(files)))?.url).toBe("http://127.0.0.1:3");
  });

  test("is in the one folder that MINDNET_DATA_DIR names", async () => {
    const found = await findRunFile("/home/ann/Notes", machine({ "/given/run.json": run(5) }, { env: { MINDNET_DATA_DIR: "/given" } }));
    expect(found?.url).toBe("http://127.0.0.1:5");
  });

  test.each([["{"], ["[]"], ["null"], ['{"url": 1, "token": "t"}'], ['{"url": "http://127.0.0.1:1"}']])("that reads %s counts as none", async (text) => {
    expect(await findRunFile("/v", machine({ "/given/run.json": text }, { env: { MINDNET_DATA_DIR: "/given" } }))).toBeNull();
  });

  test("is null when nothing runs", async () => {
    expect(await findRunFile("/home/ann/Notes", machine({}))).toBeNull();
  });
});
