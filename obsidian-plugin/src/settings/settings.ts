import { MODES, type Mode } from "../views/modes";

/** What the user can set; the token is kept apart, in the secret storage. */
export interface Settings {
  findBySelf: boolean;
  url: string;
  /** The program that starts the sidecar: `mindnet`, or a Python that has it. */
  program: string;
  startWithApp: boolean;
  language: "auto" | "de" | "en";
  mode: Mode;
  topK: number;
  /** Whether the search and the related notes show private notes. */
  includePrivate: boolean;
  /** Whose relations badges show in notes. */
  badgesExplicit: boolean;
  badgesSmart: boolean;
  badgesRule: boolean;
}

export const DEFAULTS: Settings = { findBySelf: true, url: "", program: "", startWithApp: false, language: "auto", mode: "hybrid", topK: 10, includePrivate: false, badgesExplicit: true, badgesSmart: true, badgesRule: true };
export const TOKEN_SECRET = "mindnet-token";
export const FEWEST_RESULTS = 3;
export const MOST_RESULTS = 50;

const isOneOf = (values: readonly unknown[]) => (value: unknown) => values.includes(value);
const isBoolean = (value: unknown) => typeof value === "boolean";
const VALID: Record<keyof Settings, (value: unknown) => boolean> = {
  findBySelf: isBoolean,
  startWithApp: isBoolean,
  includePrivate: isBoolean,
  program: (value) => typeof value === "string",
  badgesExplicit: isBoolean,
  badgesSmart: isBoolean,
  badgesRule: isBoolean,
  url: (value) => typeof value === "string",
  language: isOneOf(["auto", "de", "en"]),
  mode: isOneOf(MODES.map(({ mode }) => mode)),
  topK: (value) => Number.isInteger(value) && Number(value) >= FEWEST_RESULTS && Number(value) <= MOST_RESULTS,
};

/** The stored settings over the defaults; of what is stored, only what can be so. */
export function readSettings(stored: unknown): Settings {
  const settings: Settings = { ...DEFAULTS };
  if (typeof stored !== "object" || stored === null) return settings;
  const values = stored as Record<string, unknown>;
  for (const key of Object.keys(DEFAULTS) as (keyof Settings)[]) {
    if (VALID[key](values[key])) Object.assign(settings, { [key]: values[key] });
  }
  return settings;
}
