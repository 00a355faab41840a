/** The app's windows as far as the plugin opens them: one on top of the page, and one to choose in by typing. */
export class Modal {
  readonly containerEl = createDiv({ cls: "modal-container" });
  readonly modalEl = this.containerEl.createDiv({ cls: "modal", attr: { role: "dialog", "aria-modal": "true" } });
  readonly titleEl = this.modalEl.createDiv({ cls: "modal-title" });
  readonly contentEl = this.modalEl.createDiv({ cls: "modal-content" });
  private before: Element | null = null;

  constructor(readonly app: unknown) {
    this.containerEl.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.close();
    });
    this.containerEl.addEventListener("click", (event) => {
      if (event.target === this.containerEl) this.close();
    });
  }

  setTitle(title: string): this {
    this.titleEl.textContent = title;
    this.modalEl.setAttribute("aria-label", title);
    return this;
  }

  open(): void {
    this.before = document.activeElement;
    document.body.append(this.containerEl);
    this.onOpen();
  }

  close(): void {
    this.containerEl.remove();
    (this.before as HTMLElement | null)?.focus();
    this.onClose();
  }

  onOpen(): void {}
  onClose(): void {}
}

export class FuzzySuggestModal<Item> extends Modal {
  readonly inputEl = this.contentEl.createEl("input", { cls: "prompt-input", type: "text" });
  private readonly results = this.contentEl.createDiv({ cls: "prompt-results", attr: { role: "listbox" } });
  private selected = 0;

  constructor(app: unknown) {
    super(app);
    this.inputEl.addEventListener("input", () => this.list(0));
    this.inputEl.addEventListener("keydown", (event) => {
      if (event.key === "ArrowDown" || event.key === "ArrowUp") this.list(this.selected + (event.key === "ArrowDown" ? 1 : -1));
      else if (event.key === "Enter") this.choose(this.matching()[this.selected], event);
      else return;
      event.preventDefault();
    });
  }

  setPlaceholder(text: string): void {
    this.inputEl.placeholder = text;
    this.inputEl.setAttribute("aria-label", text);
  }

  override onOpen(): void {
    this.list(0);
    this.inputEl.focus();
  }

  getItems(): Item[] {
    return [];
  }

  getItemText(_item: Item): string {
    return "";
  }

  onChooseItem(_item: Item, _event: Event): void {}

  private matching(): Item[] {
    const words = this.inputEl.value.toLowerCase().split(/\s+/);
    return this.getItems().filter((item) => words.every((word) => this.getItemText(item).toLowerCase().includes(word)));
  }

  private list(selected: number): void {
    const items = this.matching();
    this.selected = Math.max(0, Math.min(selected, items.length - 1));
    this.results.replaceChildren();
    items.forEach((item, index) => {
      const row = this.results.createDiv({ cls: "suggestion-item", text: this.getItemText(item), attr: { role: "option", "aria-selected": String(index === this.selected) } });
      row.toggleClass("is-selected", index === this.selected);
      row.addEventListener("click", (event) => this.choose(item, event));
    });
  }

  private choose(item: Item | undefined, event: Event): void {
    if (item === undefined) return;
    this.close();
    this.onChooseItem(item, event);
  }
}
