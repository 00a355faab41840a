/** A piece of a passage; `marked` when it is a word that matched the question. */
export interface Piece {
  text: string;
  marked: boolean;
}

const SHORTEST_STEM = 4;
const LONGEST_ENDING = 2;
const WORD = /([\p{L}\p{N}\p{M}]+(?:['’][\p{L}\p{N}\p{M}]+)*)/u;
const FOLDED: Record<string, string> = { ä: "ae", ö: "oe", ü: "ue", ß: "ss", æ: "ae", ø: "oe" };

/** Lower case, umlauts as two letters, no accents, no apostrophes: as the sidecar compares words. */
export function fold(word: string): string {
  return word
    .normalize("NFC")
    .toLowerCase()
    .replace(/[äöüßæø]/g, (letter) => FOLDED[letter] ?? letter)
    .normalize("NFKD")
    .replace(/\p{M}|['’]s$|['’]/gu, "");
}

/**
 * Cuts a passage where a word starts like one of `words`, but for an ending of two letters. Words of
 * at most four letters must match in full, give or take such an ending: `rye` is not in `ryegrass`.
 */
export function pieces(text: string, words: readonly string[]): Piece[] {
  const wanted = words.map(fold).filter(Boolean);
  const found: Piece[] = [];
  for (const [index, part] of text.split(WORD).entries()) {
    if (part === "") continue;
    const marked = index % 2 === 1 && isWanted(fold(part), wanted);
    const last = found.at(-1);
    if (last && !last.marked && !marked) last.text += part;
    else found.push({ text: part, marked });
  }
  return found;
}

function isWanted(word: string, wanted: readonly string[]): boolean {
  return wanted.some((one) => {
    if (one.length <= SHORTEST_STEM) return word.startsWith(one) && word.length <= one.length + LONGEST_ENDING;
    return word.startsWith(one.slice(0, Math.max(SHORTEST_STEM, one.length - LONGEST_ENDING)));
  });
}
