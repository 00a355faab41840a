import { de } from "./de";
import { en } from "./en";

export type TextKey = keyof typeof en;
export type Texts = Record<TextKey, string>;
export type Language = "de" | "en";
/** Gives a text in the language in force, with its `{names}` filled in. */
export interface Translate {
  (key: TextKey, values?: Record<string, string | number>): string;
  /** A number as the language in force writes it, with exactly so many digits after the point. */
  decimal(value: number, digits: number): string;
}

export const TABLES: Record<Language, Texts> = { de, en };

/** The language of a setting: `auto` follows the app's, and every other than German is English. */
export function chooseLanguage(setting: string, appLanguage: string): Language {
  const wanted = setting === "auto" ? appLanguage : setting;
  return wanted.toLowerCase().startsWith("de") ? "de" : "en";
}

export function translator(language: () => Language): Translate {
  const text = (key: TextKey, values: Record<string, string | number> = {}) =>
    TABLES[language()][key].replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
  const decimal = (value: number, digits: number) =>
    value.toLocaleString(language(), { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return Object.assign(text, { decimal });
}
