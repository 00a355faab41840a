/** A child process of the page: the page's server starts it, tells what it says, and ends it. */

interface Told {
  id?: number;
  out?: string;
  err?: string;
  error?: string;
  close?: { code: number | null; signal: string | null };
}

class Output {
  private readonly listeners: ((piece: string) => void)[] = [];

  on(_event: "data", told: (piece: string) => void): this {
    this.listeners.push(told);
    return this;
  }

  say(piece: string): void {
    for (const told of this.listeners) told(piece);
  }
}

/** As Node's `spawn`, as far as the plugin uses it. */
export function spawn(program: string, parameters: readonly string[]) {
  const stdout = new Output();
  const stderr = new Output();
  const onError: ((cause: Error) => void)[] = [];
  const onClose: ((code: number | null, signal: string | null) => void)[] = [];
  let began: (id: number) => void;
  const id = new Promise<number>((resolve) => (began = resolve));
  const take = ({ id: own, out, err, error, close }: Told) => {
    if (own !== undefined) began(own);
    if (out !== undefined) stdout.say(out);
    if (err !== undefined) stderr.say(err);
    if (error !== undefined) for (const told of onError) told(new Error(error));
    if (close !== undefined) for (const told of onClose) told(close.code, close.signal);
  };
  void fetch("/__spawn", { method: "POST", body: JSON.stringify({ program, parameters }) }).then(async ({ body }) => {
    const reader = body!.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      const lines = (rest + next.value).split("\n");
      rest = lines.pop()!;
      for (const line of lines) take(JSON.parse(line) as Told);
    }
  });
  const child = {
    stdout,
    stderr,
    kill: (signal: string) => {
      // Behind the page's end too, as a process that goes with the app.
      void id.then((own) => fetch(`/__kill?id=${own}&signal=${signal}`, { method: "POST", keepalive: true }));
      return true;
    },
    on: (event: "error" | "close", told: never) => {
      (event === "error" ? onError : onClose).push(told);
      return child;
    },
  };
  return child;
}
