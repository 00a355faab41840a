/** A note on show in a real CodeMirror, and the app's editor interface over it as far as the plugin uses it. */
import { EditorState, StateEffect, type ChangeSet, StateField, type Extension } from "@codemirror/state";
import { Decoration, EditorView } from "@codemirror/view";

/** As the app's: which file an editor shows. */
export const editorInfoField = StateField.define<{ file: { path: string } | null }>({ create: () => ({ file: null }), update: (value) => value });

/** So many steps can be taken back; none of them is kept for good. */
const MOST_STEPS = 20;

interface Position {
  line: number;
  ch: number;
}

export interface NoteEditor {
  getCursor(): Position;
  getLine(line: number): string;
  coords(): { left: number; bottom: number } | null;
  undo(): void;
}

export interface OpenNote {
  view: EditorView;
  /** What the plugin gets as `MarkdownView.editor`. */
  editor: NoteEditor;
}

export function mountNote(root: HTMLElement, path: string, text: string, line: number, extensions: Extension): OpenNote {
  root.empty();
  root.createEl("h3", { cls: "inline-title", text: path });
  const flashing = (state: EditorState) => {
    const at = state.doc.line(Math.min(Math.max(line, 1), state.doc.lines));
    return Decoration.set([Decoration.line({ class: "is-flashing" }).range(at.from)]);
  };
  const before: ChangeSet[] = [];
  const remember = EditorView.updateListener.of(({ transactions }) => {
    for (const one of transactions) if (one.docChanged) before.push(one.changes.invert(one.startState.doc));
    before.splice(0, before.length - MOST_STEPS);
  });
  const state = EditorState.create({ doc: text, extensions: [remember, editorInfoField.init(() => ({ file: { path } })), EditorView.lineWrapping, extensions] });
  const view = new EditorView({ state, parent: root.createDiv({ cls: "cm-host" }) });
  const from = state.doc.line(Math.min(Math.max(line, 1), state.doc.lines)).from;
  view.dispatch({
    selection: { anchor: from },
    effects: [EditorView.scrollIntoView(from, { y: "center" }), StateEffect.appendConfig.of(EditorView.decorations.of(flashing(view.state)))],
  });
  const offset = ({ line: at, ch }: Position) => view.state.doc.line(at + 1).from + ch;
  const position = (at: number): Position => {
    const found = view.state.doc.lineAt(at);
    return { line: found.number - 1, ch: at - found.from };
  };
  const editor = {
    getCursor: () => position(view.state.selection.main.head),
    setCursor: (at: Position) => view.dispatch({ selection: { anchor: offset(at) } }),
    getLine: (at: number) => view.state.doc.line(at + 1).text,
    coords: () => view.coordsAtPos(view.state.selection.main.head),
    replaceRange: (insert: string, from: Position, to: Position = from) => view.dispatch({ changes: { from: offset(from), to: offset(to), insert } }),
    transaction: ({ changes }: { changes: { from: Position; to: Position; text: string }[] }) =>
      view.dispatch({ changes: changes.map((one) => ({ from: offset(one.from), to: offset(one.to), insert: one.text })) }),
    /** Takes back the last step, as Ctrl+Z does. */
    undo: () => {
      const last = before.pop();
      if (last === undefined) return;
      view.dispatch({ changes: last });
      before.pop();
    },
    replaceSelection: (insert: string) => view.dispatch(view.state.replaceSelection(insert)),
    focus: () => view.focus(),
    getValue: () => view.state.doc.toString(),
  };
  return { view, editor };
}
