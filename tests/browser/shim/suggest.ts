/** What the app does with a plugin's suggester: asks it at every change, shows a list below the cursor, and takes keys for it. */
import { EditorView, keymap } from "@codemirror/view";
import { Prec, type Extension } from "@codemirror/state";
import type { NoteEditor } from "./editor";

export interface Suggester {
  limit: number;
  context: object | null;
  onTrigger(cursor: object, editor: object, file: object | null): { start: object; end: object; query: string } | null;
  getSuggestions(context: object): unknown[] | Promise<unknown[]>;
  renderSuggestion(one: unknown, el: HTMLElement): void;
  selectSuggestion(one: unknown, event: Event): void;
}

/** As the app's own for links: a dead end for what is no note. */
export const linkSuggester: Suggester = {
  limit: 1,
  context: null,
  onTrigger: (cursor, editor) => {
    const { line, ch } = cursor as ReturnType<NoteEditor["getCursor"]>;
    return /\[\[[^\]]*$/.test((editor as NoteEditor).getLine(line).slice(0, ch)) ? { start: cursor, end: cursor, query: "" } : null;
  },
  getSuggestions: () => ["a link"],
  renderSuggestion: (one, el) => el.setText(String(one)),
  selectSuggestion: () => undefined,
};

/** The list of one editor. `noteOf` tells its editor and file once they are there. */
export function suggesting(suggesters: () => readonly Suggester[], noteOf: () => { editor: NoteEditor; file: object } | null): Extension {
  let list: HTMLElement | null = null;
  let shown: unknown[] = [];
  let asked: Suggester | null = null;
  let selected = 0;
  const close = () => {
    list?.remove();
    list = null;
    asked = null;
  };
  const draw = (suggester: Suggester) => {
    const { left = 0, bottom = 0 } = noteOf()?.editor.coords() ?? {};
    list?.remove();
    list = document.body.createDiv({ cls: "suggestion-container", attr: { role: "listbox" } });
    list.setCssStyles({ left: `${left}px`, top: `${bottom + 4}px` });
    shown.forEach((one, index) => {
      const item = list!.createDiv({ cls: `suggestion-item${index === selected ? " is-selected" : ""}`, attr: { role: "option", "aria-selected": String(index === selected) } });
      suggester.renderSuggestion(one, item);
    });
  };
  const ask = async () => {
    const note = noteOf();
    close();
    if (note === null) return;
    const { editor, file } = note;
    for (const suggester of suggesters()) {
      const found = suggester.onTrigger(editor.getCursor(), editor, file);
      if (found === null) continue;
      suggester.context = { ...found, editor, file };
      shown = (await suggester.getSuggestions(suggester.context)).slice(0, suggester.limit);
      if (shown.length === 0) return;
      asked = suggester;
      selected = 0;
      draw(suggester);
      return;
    }
  };
  const move = (by: number) => {
    if (asked === null) return false;
    selected = (selected + by + shown.length) % shown.length;
    draw(asked);
    return true;
  };
  const take = () => {
    if (asked === null) return false;
    const suggester = asked;
    const one = shown[selected];
    close();
    suggester.selectSuggestion(one, new KeyboardEvent("keydown"));
    return true;
  };
  const keys = [
    { key: "ArrowDown", run: () => move(1) },
    { key: "ArrowUp", run: () => move(-1) },
    { key: "Enter", run: take },
    { key: "Escape", run: () => (asked === null ? false : (close(), true)) },
  ];
  return [Prec.highest(keymap.of(keys)), EditorView.updateListener.of(({ docChanged }) => docChanged && void Promise.resolve().then(ask))];
}
