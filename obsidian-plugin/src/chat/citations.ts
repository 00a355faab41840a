/** A piece of an answer: text, or the number of a source. */
export type CitedPiece = { text: string } | { number: number };

/** Cuts a text at each `[n]` that names one of the given sources; every other number stays text. */
export function citedPieces(text: string, given: ReadonlySet<number>): CitedPiece[] {
  const found: CitedPiece[] = [];
  for (const piece of text.split(/(\[\d{1,3}\])/)) {
    const number = /^\[\d{1,3}\]$/.test(piece) ? Number(piece.slice(1, -1)) : null;
    const last = found.at(-1);
    if (number !== null && given.has(number)) found.push({ number });
    else if (last !== undefined && "text" in last) last.text += piece;
    else if (piece !== "") found.push({ text: piece });
  }
  return found;
}

const PLAIN = "code, pre, a, button, .math";

/** Puts what `draw` gives in the place of each citation in an element that has been rendered. */
export function replaceCitations(root: HTMLElement, given: ReadonlySet<number>, draw: (number: number) => Node): void {
  const walker = root.doc.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  while (walker.nextNode()) texts.push(walker.currentNode as Text);
  for (const text of texts) {
    if (text.parentElement?.closest(PLAIN)) continue;
    const pieces = citedPieces(text.data, given);
    if (!pieces.some((piece) => "number" in piece)) continue;
    text.replaceWith(...pieces.map((piece) => ("number" in piece ? draw(piece.number) : piece.text)));
  }
}
