import { FuzzySuggestModal, type App } from "obsidian";

/** Something to choose, by its name. */
export interface Choice<Value> {
  name: string;
  value: Value;
}

/** Lets the user choose one of many by typing a part of its name; gives nothing when they leave. */
export type Pick = <Value>(placeholder: string, choices: readonly Choice<Value>[], onPick: (value: Value) => void) => void;

class PickModal<Value> extends FuzzySuggestModal<Choice<Value>> {
  constructor(
    app: App,
    placeholder: string,
    private readonly choices: readonly Choice<Value>[],
    private readonly onPick: (value: Value) => void,
  ) {
    super(app);
    this.setPlaceholder(placeholder);
  }

  override getItems(): Choice<Value>[] {
    return [...this.choices];
  }

  override getItemText({ name }: Choice<Value>): string {
    return name;
  }

  override onChooseItem({ value }: Choice<Value>): void {
    this.onPick(value);
  }
}

export function picker(app: App): Pick {
  return (placeholder, choices, onPick) => new PickModal(app, placeholder, choices, onPick).open();
}
