/** A note on show in a real CodeMirror, and the app's editor interface over it as far as the plugin uses it. */
import { EditorState, StateEffect, StateField, type Extension } from "@codemirror/state";
import { Decoration, EditorView } from "@codemirror/view";

/** As the app's: which file an editor shows. */
export const editorInfoField = StateField.define<{ file: { path: string } | null }>({ create: () => ({ file: null }), update: (value) => value });

export interface OpenNote {
  view: EditorView;
  /** What the plugin gets as `MarkdownView.editor`. */
  editor: object;
}

export function mountNote(root: HTMLElement, path: string, text: string, line: number, extensions: Extension): OpenNote {
  root.empty();
  root.createEl("h3", { cls: "inline-title", text: path });
  const flashing = (state: EditorState) => {
    const at = state.doc.line(Math.min(Math.max(line, 1), state.doc.lines));
    return Decoration.set([Decoration.line({ class: "is-flashing" }).range(at.from)]);
  };
  const state = EditorState.create({ doc: text, extensions: [editorInfoField.init(() => ({ file: { path } })), EditorView.lineWrapping, extensions] });
  const view = new EditorView({ state, parent: root.createDiv({ cls: "cm-host" }) });
  const from = state.doc.line(Math.min(Math.max(line, 1), state.doc.lines)).from;
  view.dispatch({
    selection: { anchor: from },
    effects: [EditorView.scrollIntoView(from, { y: "center" }), StateEffect.appendConfig.of(EditorView.decorations.of(flashing(view.state)))],
  });
  const editor = {
    replaceSelection: (insert: string) => view.dispatch(view.state.replaceSelection(insert)),
    focus: () => view.focus(),
    getValue: () => view.state.doc.toString(),
  };
  return { view, editor };
}
