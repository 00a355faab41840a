import { ItemView, Modal, type App, type WorkspaceLeaf } from "obsidian";
import type { Reach } from "../ui/places";
import { SearchPanel, type SearchHost } from "./search-panel";

export const SEARCH_VIEW = "mindnet-search";

/** The search in the side pane. */
export class SearchView extends ItemView {
  private panel: SearchPanel | null = null;

  constructor(
    leaf: WorkspaceLeaf,
    private readonly host: SearchHost,
  ) {
    super(leaf);
  }

  override getViewType(): string {
    return SEARCH_VIEW;
  }

  override getDisplayText(): string {
    return this.host.t("viewTitle");
  }

  override getIcon(): string {
    return "waypoints";
  }

  override async onOpen(): Promise<void> {
    this.panel = this.addChild(new SearchPanel(this.contentEl, this.host));
  }

  focus(): void {
    this.panel?.focus();
  }

  redraw(): void {
    this.panel?.redraw();
  }
}

/** The search in a window of its own, which makes room for what is opened. */
export class SearchModal extends Modal {
  private readonly panel: SearchPanel;

  constructor(app: App, host: SearchHost) {
    super(app);
    this.modalEl.addClass("mindnet-search-modal");
    this.setTitle(host.t("viewTitle"));
    const { reach } = host;
    const closing: Reach = {
      open: (path, line, newTab) => {
        this.close();
        reach.open(path, line, newTab);
      },
      openLink: (link, newTab) => {
        this.close();
        reach.openLink(link, newTab);
      },
      preview: (...where) => reach.preview(...where),
    };
    this.panel = new SearchPanel(this.contentEl, { ...host, reach: closing });
  }

  override onOpen(): void {
    this.panel.load();
    this.panel.focus();
  }

  override onClose(): void {
    this.panel.unload();
    this.contentEl.empty();
  }
}
