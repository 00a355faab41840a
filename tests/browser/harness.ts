/** Starts all that a browser test needs: a vault, a real sidecar, the page's server, Chromium. */
import { spawn, type ChildProcess } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, extname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { chromium, type Browser, type Page } from "playwright-core";
import { Children, start as startChild } from "./children";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const PLUGIN = join(ROOT, "obsidian-plugin");
const CHROMIUM_FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];
const TYPES: Record<string, string> = { ".html": "text/html; charset=utf-8", ".css": "text/css", ".js": "text/javascript" };

/** The sidecar's program, as a user would enter it in the settings. */
export const PROGRAM = process.env.MINDNET_BIN ?? join(ROOT, ".venv/bin/mindnet");

export interface Run {
  url: string;
  token: string;
}

/** A sidecar of its own process, on a port and a data folder of its own. */
export class Sidecar {
  /** Every address it has had. */
  readonly addresses = new Set<string>();
  private process: ChildProcess | null = null;

  constructor(
    private readonly vault: string,
    private readonly env: NodeJS.ProcessEnv,
  ) {}

  /** Resolves with the line that `serve` prints once it answers. */
  start(): Promise<Run> {
    const child = spawn(PROGRAM, ["serve", "--vault", this.vault], {
      env: this.env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.process = child;
    let out = "";
    let err = "";
    return new Promise((resolve, reject) => {
      child.stderr.on("data", (data: Buffer) => (err += data.toString()));
      child.stdout.on("data", (data: Buffer) => {
        out += data.toString();
        if (!out.includes("\n")) return;
        const run = JSON.parse(out.split("\n")[0]!) as Run;
        this.addresses.add(run.url);
        resolve(run);
      });
      child.on("exit", (code) => reject(new Error(`the sidecar ended with ${code}: ${err}`)));
      child.on("error", reject);
    });
  }

  stop(): Promise<void> {
    return this.end("SIGTERM");
  }

  /** Ends it with no time for a last word. */
  crash(): Promise<void> {
    return this.end("SIGKILL");
  }

  private async end(signal: "SIGTERM" | "SIGKILL"): Promise<void> {
    const child = this.process;
    this.process = null;
    if (child === null || child.exitCode !== null) return;
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill(signal);
    await ended;
  }
}

export interface PageOptions {
  theme?: "light" | "dark";
  language?: "en" | "de";
  data?: object;
  height?: number;
  mobile?: boolean;
  /** The folder with the plugin's files; by default the one that they are built in. */
  plugin?: string;
}

export interface Harness {
  vault: string;
  dataDir: string;
  /** The user's own settings. */
  configDir: string;
  origin: string;
  sidecar: Sidecar;
  /** What the plugin itself has started. */
  children: Children;
  browser: Browser;
  problems: string[];
  /** Whoever was asked anything by a page, by the app's requests too. */
  requests: Set<string>;
  open(options?: PageOptions): Promise<Page>;
  /** Where the sidecar is, and its token. */
  run(): Promise<Run>;
  /** Writes a file of the user's own settings. */
  configure(name: string, text: string): Promise<void>;
  close(): Promise<void>;
}

/** `demo`: whether the vault holds the demo vault's notes besides these. */
export async function startHarness(notes: Record<string, string>, demo = true): Promise<Harness> {
  const folder = await mkdtemp(join(tmpdir(), "mindnet-browser-"));
  const vault = join(folder, "vault");
  const dataDir = join(folder, "data");
  const configHome = join(folder, "config");
  await mkdir(join(configHome, "mindnet"), { recursive: true });
  await mkdir(vault);
  if (demo) await cp(join(ROOT, "demo-vault"), vault, { recursive: true });
  for (const [path, text] of Object.entries(notes)) {
    await mkdir(dirname(join(vault, path)), { recursive: true });
    await writeFile(join(vault, path), text);
  }
  const harness = await build({
    entryPoints: [join(ROOT, "tests/browser/shim/host.ts")],
    bundle: true,
    format: "iife",
    target: "es2022",
    write: false,
    logLevel: "error",
    tsconfigRaw: {},
  });
  const script = harness.outputFiles[0]!.text;
  const requests = new Set<string>();
  const server = createServer((request, response) => void serve(request, response, { script, vault, dataDir, requests, children: () => children }));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const env = { ...process.env, MINDNET_DATA_DIR: dataDir, MINDNET_ALLOWED_ORIGINS: origin, MINDNET_DEBOUNCE_MS: "100", MINDNET_EMBEDDING: "bundled", XDG_CONFIG_HOME: configHome };
  const sidecar = new Sidecar(vault, env);
  const children = new Children(env, (piece) => {
    if (piece.startsWith("{")) sidecar.addresses.add((JSON.parse(piece) as Run).url);
  });
  const run = await sidecar.start();
  await indexed(run);
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: CHROMIUM_FLAGS });
  const problems: string[] = [];
  return {
    vault,
    dataDir,
    configDir: join(configHome, "mindnet"),
    origin,
    sidecar,
    children,
    browser,
    problems,
    requests,
    open: (options = {}) => openPage(browser, origin, vault, dataDir, problems, requests, options),
    run: async () => JSON.parse(await readFile(join(dataDir, "run.json"), "utf8")) as Run,
    configure: (name, text) => writeFile(join(configHome, "mindnet", name), text),
    close: async () => {
      await browser.close();
      await children.end();
      await sidecar.stop();
      await closeServer(server);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Waits for the first scan: a call for an import is answered when it is done. */
export async function indexed(run: Run): Promise<void> {
  const response = await fetch(`${run.url}/ingest`, {
    method: "POST",
    headers: { Authorization: `Bearer ${run.token}`, "Content-Type": "application/json" },
    body: "{}",
  });
  if (!response.ok) throw new Error(await response.text());
}

async function openPage(
  browser: Browser,
  origin: string,
  vault: string,
  dataDir: string,
  problems: string[],
  requests: Set<string>,
  options: PageOptions,
): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1100, height: options.height ?? 760 } });
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("console", (message) => {
    // The browser itself reports each refused connection while the sidecar is away.
    if (message.type() === "error" && !/ERR_CONNECTION_(REFUSED|RESET|CLOSED)|ERR_EMPTY_RESPONSE|status of (401|404|599)|ERR_INCOMPLETE_CHUNKED/.test(message.text())) problems.push(message.text());
  });
  page.on("request", (request) => requests.add(new URL(request.url()).origin));
  page.setDefaultTimeout(30_000);
  await page.goto(origin);
  await page.evaluate(
    ({ theme, language }) => {
      document.documentElement.lang = language;
      document.body.className = `theme-${theme}`;
    },
    { theme: options.theme ?? "light", language: options.language ?? "en" },
  );
  const files = Object.fromEntries((await notesOf(vault)).map((path) => [path, ""]));
  await page.evaluate(
    async (given) => {
      const start = (window as unknown as { host(options: unknown): Promise<unknown> }).host;
      Object.assign(window, { app: await start(given) });
    },
    {
      main: await readFile(join(options.plugin ?? PLUGIN, "main.js"), "utf8"),
      manifest: JSON.parse(await readFile(join(options.plugin ?? PLUGIN, "manifest.json"), "utf8")) as object,
      data: options.data ?? {},
      mobile: options.mobile ?? false,
      vaultPath: vault,
      dataDir,
      files,
      tags: { "#brot": 3, "#journal": 2 },
    },
  );
  return page;
}

async function notesOf(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true });
  return entries.filter((path) => path.endsWith(".md")).map((path) => path.split(sep).join("/"));
}

async function serve(request: IncomingMessage, response: ServerResponse, given: { script: string; vault: string; dataDir: string; requests: Set<string>; children: () => Children }): Promise<void> {
  const url = new URL(request.url ?? "/", "http://page");
  try {
    if (url.pathname === "/__request") {
      const target = new URL(url.searchParams.get("url") ?? "");
      given.requests.add(target.origin);
      return await forward(target, request, response);
    }
    if (url.pathname === "/__spawn") return await startChild(given.children(), request, response);
    if (url.pathname === "/__kill") {
      given.children().signal(url);
      return void response.writeHead(204).end();
    }
    if (url.pathname === "/harness.js") return answer(response, ".js", given.script);
    if (url.pathname === "/__file") return answer(response, ".html", await readInside(given.dataDir, url.searchParams.get("path") ?? ""));
    if (url.pathname === "/__note" && request.method === "PUT") {
      const path = join(given.vault, url.searchParams.get("path") ?? "");
      if (relative(given.vault, path).startsWith("..")) throw new Error("outside");
      await writeFile(path, await bodyOf(request));
      return void response.writeHead(204).end();
    }
    if (url.pathname === "/__note") return answer(response, ".html", await readInside(given.vault, join(given.vault, url.searchParams.get("path") ?? "")));
    if (url.pathname === "/favicon.ico") return void response.writeHead(204).end();
    const file = url.pathname === "/styles.css" ? join(ROOT, "obsidian-plugin/styles.css") : join(ROOT, "tests/browser/page", url.pathname === "/" ? "index.html" : url.pathname);
    answer(response, extname(file), await readFile(file, "utf8"));
  } catch {
    response.writeHead(404).end();
  }
}

function answer(response: ServerResponse, kind: string, body: string): void {
  response.writeHead(200, { "Content-Type": TYPES[kind] ?? "text/plain" }).end(body);
}

async function readInside(folder: string, path: string): Promise<string> {
  if (relative(folder, path).startsWith("..")) throw new Error("outside");
  return readFile(path, "utf8");
}

/** What the app's `requestUrl` does: a request that no browser rule applies to. */
async function forward(target: URL, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await bodyOf(request);
  const headers = Object.fromEntries(["authorization", "content-type"].flatMap((name) => (request.headers[name] ? [[name, String(request.headers[name])]] : [])));
  try {
    const found = await fetch(target, { method: request.method ?? "GET", headers, ...(body.length > 0 ? { body } : {}) });
    response.writeHead(found.status, { "Content-Type": found.headers.get("content-type") ?? "text/plain" }).end(await found.text());
  } catch {
    response.writeHead(599).end();
  }
}

async function bodyOf(request: IncomingMessage): Promise<Uint8Array<ArrayBuffer>> {
  const body: Buffer[] = [];
  for await (const part of request) body.push(part as Buffer);
  return new Uint8Array(Buffer.concat(body));
}

function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}
