import type { Mode } from "../views/modes";

/** What the user can set; the token is kept apart, in the secret storage. */
export interface Settings {
  findBySelf: boolean;
  url: string;
  language: "auto" | "de" | "en";
  mode: Mode;
  topK: number;
}

export const DEFAULTS: Settings = { findBySelf: true, url: "", language: "auto", mode: "hybrid", topK: 10 };
export const TOKEN_SECRET = "mindnet-token";

/** The stored settings over the defaults; of what is stored, only what has the right type. */
export function readSettings(stored: unknown): Settings {
  const settings: Settings = { ...DEFAULTS };
  if (typeof stored !== "object" || stored === null) return settings;
  const values = stored as Record<string, unknown>;
  for (const key of Object.keys(DEFAULTS) as (keyof Settings)[]) {
    if (typeof values[key] === typeof DEFAULTS[key]) Object.assign(settings, { [key]: values[key] });
  }
  return settings;
}
