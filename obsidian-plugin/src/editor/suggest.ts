import { EditorSuggest, type App, type Editor, type EditorPosition, type EditorSuggestContext, type EditorSuggestTriggerInfo, type TFile } from "obsidian";
import type { Translate } from "../i18n";
import { completingAt, kindText, notesMatching, type Completing } from "../relations/completing";
import type { KindName, Kinds } from "../relations/kinds";

/** A kind by one of its names, or a note. */
export type Suggestion = ({ what: "kind" } & KindName) | { what: "note"; file: TFile };

const MOST_NOTES = 50;

/** Offers kinds where a relation begins, then notes; all of it is at hand, so that no key asks the sidecar anything. */
export class RelationSuggest extends EditorSuggest<Suggestion> {
  private completing: Completing | null = null;

  constructor(
    app: App,
    private readonly kinds: Kinds,
    private readonly t: Translate,
  ) {
    super(app);
    this.limit = MOST_NOTES;
  }

  override onTrigger(cursor: EditorPosition, editor: Editor): EditorSuggestTriggerInfo | null {
    this.completing = completingAt((line) => editor.getLine(line), cursor.line, cursor.ch, (kind) => this.kinds.isKnown(kind));
    if (this.completing === null) return null;
    const { from, typed } = this.completing;
    return { start: { line: cursor.line, ch: from }, end: cursor, query: typed };
  }

  override getSuggestions({ query, file }: EditorSuggestContext): Suggestion[] {
    if (this.completing?.what === "kind") return this.kinds.matching(query).map((name) => ({ what: "kind", ...name }));
    const notes = this.app.vault.getMarkdownFiles().filter(({ path }) => path !== file.path);
    return notesMatching(notes, query, MOST_NOTES).map((one) => ({ what: "note", file: one }));
  }

  override renderSuggestion(one: Suggestion, el: HTMLElement): void {
    el.addClass("mindnet-suggestion");
    if (one.what === "note") {
      el.createDiv({ text: one.file.basename });
      const folder = one.file.parent?.path ?? "/";
      if (folder !== "/") el.createDiv({ cls: "mindnet-muted", text: folder });
      return;
    }
    el.createDiv({ text: one.written });
    if (one.written !== one.kind) el.createDiv({ cls: "mindnet-muted", text: this.t("kindIs", { kind: one.kind }) });
  }

  override selectSuggestion(one: Suggestion): void {
    const { context, completing } = this;
    if (context === null || completing === null) return;
    const { editor, start, end, file } = context;
    const after = editor.getLine(end.line).slice(end.ch);
    let text: string;
    let to = end;
    if (one.what === "kind") {
      // Brackets that close by themselves stand behind the cursor already.
      text = kindText(completing.form, one.written, after);
    } else if (completing.form === "link") {
      text = `${this.app.metadataCache.fileToLinktext(one.file, file.path, true)}]]`;
      if (after.startsWith("]]")) to = { line: end.line, ch: end.ch + 2 };
    } else text = this.app.fileManager.generateMarkdownLink(one.file, file.path);
    editor.replaceRange(text, start, to);
    editor.setCursor({ line: start.line, ch: start.ch + text.length });
  }
}

/** The app's list of suggesters, which its typings leave out. */
interface WithSuggesters {
  editorSuggest?: { suggests?: unknown[] };
}

/** Asks this one first: the app's own for links would take `[[rel:` for the beginning of a note's name. */
export function putFirst(app: App, suggest: RelationSuggest): void {
  const list = (app.workspace as WithSuggesters).editorSuggest?.suggests;
  const at = list?.indexOf(suggest) ?? -1;
  if (list === undefined || at < 0) return;
  list.splice(at, 1);
  list.unshift(suggest);
}
