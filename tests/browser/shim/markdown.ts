/** Renders as much Markdown as the tests look at, with the app's class names; the real renderer is the app's own. */
const INLINE = /(`[^`]+`)|(\*\*.+?\*\*)|(\*[^*]+\*)|(!?\[\[[^\]]+\]\])|(\[[^\]]*\]\([^)]*\))/;

export function drawMarkdown(markdown: string, into: HTMLElement): void {
  const lines = markdown.split("\n");
  let list: HTMLElement | null = null;
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index]!;
    const fence = /^(```+|~~~+)\s*(\S*)/.exec(line);
    const item = /^\s*([-*+]|\d+[.)])\s+(.*)$/.exec(line);
    const heading = /^(#{1,6})\s+(.*)$/.exec(line);
    if (!item && line.trim() !== "") list = null;
    if (fence) {
      const code: string[] = [];
      for (index++; index < lines.length && !lines[index]!.startsWith(fence[1]!); index++) code.push(lines[index]!);
      into.createEl("pre").createEl("code", { cls: fence[2] ? `language-${fence[2]}` : "", text: code.join("\n") });
    } else if (item) {
      const ordered = /\d/.test(item[1]!);
      list ??= into.createEl(ordered ? "ol" : "ul");
      if (ordered && !list.hasChildNodes()) list.setAttribute("start", String(Number.parseInt(item[1]!, 10)));
      drawInline(list.createEl("li"), item[2]!);
    } else if (heading) drawInline(into.createEl(`h${heading[1]!.length}` as "h1"), heading[2]!);
    else if (line.startsWith(">")) drawInline(into.createEl("blockquote").createEl("p"), line.replace(/^>\s?/, ""));
    else if (line.trim() !== "") {
      const last = into.lastElementChild;
      const goesOn = last?.tagName === "P" && lines[index - 1]?.trim() !== "";
      const paragraph = goesOn ? (last as HTMLElement) : into.createEl("p");
      if (goesOn) paragraph.appendText("\n");
      drawInline(paragraph, line);
    }
  }
}

function drawInline(parent: HTMLElement, text: string): void {
  for (const piece of text.split(INLINE)) {
    if (!piece) continue;
    if (/^`[^`]+`$/.test(piece)) parent.createEl("code", { text: piece.slice(1, -1) });
    else if (/^\*\*.+\*\*$/.test(piece)) drawInline(parent.createEl("strong"), piece.slice(2, -2));
    else if (/^\*[^*]+\*$/.test(piece)) drawInline(parent.createEl("em"), piece.slice(1, -1));
    else if (/^!?\[\[.+\]\]$/.test(piece)) {
      const [target, label] = piece.replace(/^!?\[\[|\]\]$/g, "").split("|");
      parent.createEl("a", { cls: "internal-link", text: label ?? target, attr: { "data-href": target!, href: target! } });
    } else if (/^\[[^\]]*\]\(.*\)$/.test(piece)) {
      const [, label, target] = /^\[([^\]]*)\]\((.*)\)$/.exec(piece)!;
      parent.createEl("a", { cls: "external-link", text: label, attr: { href: target! } });
    } else parent.appendText(piece);
  }
}
