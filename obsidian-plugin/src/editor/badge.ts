import type { Translate } from "../i18n";
import { isQuiet, markText, type Mark } from "./marks";

/** What a badge needs: words, and what a click on it opens. */
export interface BadgeHost {
  t: Translate;
  explain(mark: Mark): void;
}

/** A kind of one's own may be of any length; whole it stands in what the badge says to the pointer. */
const LONGEST_KIND = 28;

function shortKind(kind: string): string {
  const letters = Array.from(kind);
  return letters.length <= LONGEST_KIND ? kind : `${letters.slice(0, LONGEST_KIND - 1).join("")}…`;
}

/**
 * The badge of a link: a shape for where the relation comes from, and its kind where that says something.
 * `byKeyboard`: it can be stepped to, which within an editor it cannot; there a command opens what it explains.
 */
export function drawBadge(mark: Mark, host: BadgeHost, byKeyboard = false): HTMLElement {
  const badge = createSpan({
    cls: "mindnet-edge-badge",
    text: isQuiet(mark) ? "" : mark.resolved ? shortKind(mark.kind) : host.t("unresolved"),
    attr: {
      "data-provenance": mark.origin,
      "data-resolved": String(mark.resolved),
      "aria-label": markText(mark, host.t),
      role: "button",
      ...(byKeyboard ? { tabindex: "0" } : {}),
    },
  });
  badge.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    host.explain(mark);
  });
  badge.addEventListener("mousedown", (event) => {
    // The cursor stays where it is.
    event.preventDefault();
    host.explain(mark);
  });
  return badge;
}
