import type { App } from "obsidian";
import type { FilterKind } from "../search/filters";
import type { Statistics } from "../sidecar/wire";
import type { Choice } from "./pick";

/** Every tag with the number of its uses, which the app's typings leave out. */
interface WithTags {
  getTags?(): Record<string, number>;
}

/** What the vault has to filter by: types as the sidecar knows them, tags and folders as the app does. */
export async function vaultValues(app: App, kind: Exclude<FilterKind, "date">, stats: () => Promise<Statistics>): Promise<string[]> {
  switch (kind) {
    case "type":
      return byUse((await stats()).types);
    case "tag":
      return byUse((app.metadataCache as WithTags).getTags?.() ?? {}).map((tag) => tag.replace(/^#/, ""));
    case "path": {
      const folders = app.vault.getAllFolders().map((folder) => folder.path).filter((path) => path !== "/");
      return folders.sort((one, other) => one.localeCompare(other)).map((path) => `${path}/`);
    }
  }
}

export function vaultNotes(app: App): Choice<string>[] {
  return app.vault.getMarkdownFiles().map(({ path }) => ({ name: path, value: path }));
}

function byUse(uses: Readonly<Record<string, number>>): string[] {
  return Object.entries(uses)
    .sort(([one, a], [other, b]) => b - a || one.localeCompare(other))
    .map(([name]) => name);
}
