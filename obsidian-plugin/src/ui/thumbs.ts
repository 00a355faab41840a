import type { Judged, Thumbs } from "../feedback/thumbs";
import type { Translate } from "../i18n";
import { iconButton } from "./icon-button";

/** What drawing thumbs takes. */
export interface ThumbsHost {
  t: Translate;
  thumbs: Thumbs;
  /** Whether the sidecar keeps logs: without them nothing can be judged. */
  enabled(): boolean;
  /** Shows why a judgement could not be kept. */
  complain(cause: unknown): void;
}

/** Two thumbs: one click judges, the same again takes it back, and a reason may be added. */
export function drawThumbs(parent: HTMLElement, judged: Judged, name: string, host: ThumbsHost): void {
  if (!host.enabled()) return;
  const { t, thumbs } = host;
  const el = parent.createSpan({ cls: "mindnet-thumbs", attr: { role: "group", "aria-label": t("judge", { name }) } });
  const reason = parent.createEl("form", { cls: "mindnet-reason" });
  reason.hide();
  const field = reason.createEl("input", { type: "text", placeholder: t("reasonPlaceholder"), attr: { "aria-label": t("reasonLabel", { name }) } });
  const buttons = [true, false].map((up) => {
    const button = iconButton(el, up ? "thumbs-up" : "thumbs-down", t(up ? "thumbUp" : "thumbDown", { name }), () => void attempt(() => judge(up)));
    return { up, button };
  });
  const show = () => {
    const held = thumbs.of(judged);
    for (const { up, button } of buttons) {
      button.setAttribute("aria-pressed", String(held?.up === up));
    }
    return held;
  };
  const judge = async (up: boolean) => {
    if (thumbs.of(judged)?.up === up) await thumbs.takeBack(judged);
    else await thumbs.give(judged, up);
    const held = show();
    reason.toggle(held !== null);
    field.value = held?.comment ?? "";
  };
  const attempt = async (act: () => Promise<void>) => {
    try {
      await act();
    } catch (cause) {
      host.complain(cause);
    }
  };
  reason.addEventListener("submit", (event) => {
    event.preventDefault();
    const held = thumbs.of(judged);
    if (held === null) return;
    void attempt(async () => {
      await thumbs.give(judged, held.up, field.value.trim());
      reason.hide();
      buttons.find(({ up }) => up === held.up)?.button.focus();
    });
  });
  field.addEventListener("keydown", (event) => {
    // Arrows and Esc are the field's own here.
    event.stopPropagation();
    if (event.key !== "Escape") return;
    reason.hide();
    buttons[0]?.button.focus();
  });
  show();
}
