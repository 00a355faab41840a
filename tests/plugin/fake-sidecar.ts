/** A sidecar of a few lines on a free loopback port: canned answers, and events when a test sends them. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { QueryRequest, SidecarEvent, Status } from "../../obsidian-plugin/src/sidecar/wire";
import { answer, hit, status } from "./samples";

export const TOKEN = "right";

export class FakeSidecar {
  readonly asked: QueryRequest[] = [];
  status: Status = status();
  private readonly streams = new Set<ServerResponse>();
  private constructor(private readonly server: Server) {}

  static async start(): Promise<FakeSidecar> {
    const server = createServer((request, response) => void fake.respond(request, response));
    const fake = new FakeSidecar(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return fake;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  get listeners(): number {
    return this.streams.size;
  }

  send(event: SidecarEvent): void {
    this.write(`event: ${event.event}\ndata: ${JSON.stringify(event)}\n\n`);
  }

  write(bytes: string | Uint8Array): void {
    for (const stream of this.streams) stream.write(bytes);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? "/", "http://fake");
    const json = (code: number, body: object, type = "application/json") => response.writeHead(code, { "Content-Type": type }).end(JSON.stringify(body));
    if (pathname === "/health") return void json(200, { status: "ok", version: "0.1.0" });
    if (request.headers.authorization !== `Bearer ${TOKEN}`) return void json(401, problem(401, "The token is wrong.", "Read it again."), "application/problem+json");
    if (pathname === "/status") return void json(200, this.status);
    if (pathname === "/query") {
      const query = JSON.parse(await bodyOf(request)) as QueryRequest;
      this.asked.push(query);
      return void json(200, answer([hit()]));
    }
    if (pathname === "/events") {
      response.writeHead(200, { "Content-Type": "text/event-stream" });
      this.streams.add(response);
      response.on("close", () => this.streams.delete(response));
      this.send({ event: "status", status: this.status });
      return;
    }
    if (pathname === "/page") return void response.writeHead(200).end("<p>another program");
    json(404, problem(404, `${pathname} is not here.`, "Look elsewhere."), "application/problem+json");
  }
}

function problem(code: number, detail: string, hint: string): object {
  return { type: "about:blank", title: "Problem", status: code, detail, code: "fake", hint };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = "";
  for await (const piece of request) body += String(piece);
  return body;
}
