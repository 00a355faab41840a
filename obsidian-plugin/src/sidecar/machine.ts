import { Platform } from "obsidian";
import type { Machine } from "./discovery";
import type { Spawn } from "./process";

/** The desktop this app runs on; null on mobile, where there is none to ask. */
export async function desktop(): Promise<Machine | null> {
  if (Platform.isDesktop && Platform.isDesktopApp) {
    const [fs, os, crypto, process] = await Promise.all([
      import("node:fs/promises"),
      import("node:os"),
      import("node:crypto"),
      import("node:process"),
    ]);
    return {
      platform: process.platform,
      home: os.homedir(),
      env: process.env,
      realPath: (path) => fs.realpath(path),
      readText: (path) => fs.readFile(path, "utf8"),
      sha256: (text) => Promise.resolve(crypto.createHash("sha256").update(text).digest("hex")),
    };
  }
  return null;
}

/** Starts a program on the desktop, without a shell and without a window of its own. */
export const spawnOnDesktop: Spawn = async (program, parameters) => {
  if (Platform.isDesktop && Platform.isDesktopApp) {
    const { spawn } = await import("node:child_process");
    return spawn(program, [...parameters], { stdio: ["ignore", "pipe", "pipe"], windowsHide: true });
  }
  return null;
};
