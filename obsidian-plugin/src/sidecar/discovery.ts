import type { Endpoint } from "./transport";

/** What the sidecar writes beside its data while it runs. */
export interface RunFile extends Endpoint {
  vault: string;
  version: string;
}

/** The parts of the desktop's machine that finding a run file needs. */
export interface Machine {
  platform: string;
  home: string;
  env: Record<string, string | undefined>;
  realPath: (path: string) => Promise<string>;
  readText: (path: string) => Promise<string>;
  sha256: (text: string) => Promise<string>;
}

/** The folder that holds one data folder for each vault: the platform's user data folder for mindnet. */
export function dataRoot({ platform, home, env }: Pick<Machine, "platform" | "home" | "env">): string {
  if (platform === "win32") return `${env.LOCALAPPDATA || `${home}\\AppData\\Local`}\\mindnet\\mindnet`;
  if (platform === "darwin") return `${home}/Library/Application Support/mindnet`;
  return `${env.XDG_DATA_HOME || `${home}/.local/share`}/mindnet`;
}

/** A vault's folder name: its slug and the first 12 hex digits of the SHA-256 of its real absolute path. */
export async function folderName(realVault: string, sha256: Machine["sha256"]): Promise<string> {
  const base = realVault.split(/[\\/]/).filter(Boolean).pop() ?? "";
  const plain = base.normalize("NFKD").replace(/[^\p{ASCII}]/gu, "").toLowerCase();
  const slug = plain.replace(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, "") || "vault";
  return `${slug}-${(await sha256(realVault)).slice(0, 12)}`;
}

/** The run file of the vault at this path, null when no sidecar runs for it. */
export async function findRunFile(vault: string, machine: Machine): Promise<RunFile | null> {
  const separator = machine.platform === "win32" ? "\\" : "/";
  const given = machine.env.MINDNET_DATA_DIR;
  const real = await machine.realPath(vault).catch(() => vault);
  const root = dataRoot(machine);
  const folders: string[] = [];
  if (given) folders.push(given);
  else {
    const known = await readJson<Record<string, unknown>>(machine, `${root}${separator}vaults.json`);
    const listed = known?.[real];
    if (typeof listed === "string") folders.push(listed);
    folders.push(`${root}${separator}${await folderName(real, machine.sha256)}`);
  }
  for (const folder of folders) {
    const run = await readJson<Partial<RunFile>>(machine, `${folder}${separator}run.json`);
    if (typeof run?.url === "string" && typeof run.token === "string") {
      return { url: run.url, token: run.token, vault: run.vault ?? "", version: run.version ?? "" };
    }
  }
  return null;
}

async function readJson<Value>(machine: Machine, path: string): Promise<Value | null> {
  try {
    return JSON.parse(await machine.readText(path)) as Value;
  } catch {
    return null;
  }
}
