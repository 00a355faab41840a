import type { Translate } from "../i18n";
import { citedPieces } from "./citations";
import type { Turn } from "./conversation";

/** A passage that an answer leans on. */
export interface Place {
  path: string;
  title: string;
  heading_path: readonly string[];
}

/** Writes a link to a passage with the text given, as the user's settings want links. */
export type WriteLink = (place: Place, text: string) => string;

/** The passages that the answer cites, by number. */
export function citedPlaces(turn: Turn): Map<number, Place> {
  const places = new Map<number, Place>();
  for (const source of turn.found?.sources ?? []) places.set(source.number, source);
  const cited = new Map<number, Place>(turn.citations.map((one) => [one.number, one]));
  if (turn.phase === "answered") return cited;
  const named = citedPieces(turn.answer, new Set(places.keys())).flatMap((piece) => ("number" in piece ? [piece.number] : []));
  return new Map([...places].filter(([number]) => named.includes(number)));
}

/** The answer as Markdown for a note: its citations as links, and below it what they lead to. */
export function answerMarkdown(turn: Turn, link: WriteLink, t: Translate): string {
  const places = citedPlaces(turn);
  const pieces = citedPieces(turn.answer.trim(), new Set(places.keys()));
  const text = pieces.map((piece) => ("text" in piece ? piece.text : linkTo(places, piece.number, String(piece.number), link))).join("");
  if (places.size === 0) return text;
  const sources = [...places].sort(([a], [b]) => a - b).map(([number, place]) => `${number}. ${linkTo(places, number, placeTitle(place), link)}`);
  return `${text}\n\n**${t("noteSources")}**\n\n${sources.join("\n")}`;
}

function linkTo(places: ReadonlyMap<number, Place>, number: number, text: string, link: WriteLink): string {
  const place = places.get(number);
  return place === undefined ? text : link(place, text);
}

/** The note's title, and the heading below which the passage stands. */
export function placeTitle({ title, heading_path }: Place): string {
  return [title, ...heading_path.filter((part) => part !== title)].join(" › ");
}

/** The type of saved chats, which weighs little: what repeats its sources should not come before them in a search. */
const PROPERTIES = "---\ntype: chat\n---\n\n";

/** A whole note: each question as a heading, its answer below. */
export function conversationMarkdown(turns: readonly Turn[], link: WriteLink, t: Translate): string {
  const said = turns.filter((turn) => turn.answer.trim() !== "");
  const sections = said.map((turn) => `## ${oneLine(turn.message)}\n\n${answerMarkdown(turn, link, t)}\n`);
  return PROPERTIES + sections.join("\n");
}

const LONGEST_NAME = 80;

/** A file name for a note about this question, without what a file or a link cannot have in its name. */
export function noteName(question: string, otherwise: string): string {
  const plain = oneLine(question).replace(/[\\/:*?"<>|#^[\]]/g, " ").replace(/\s+/g, " ").trim();
  const cut = plain.length <= LONGEST_NAME ? plain : plain.slice(0, LONGEST_NAME + 1).replace(/\s\S*$/, "").slice(0, LONGEST_NAME);
  return cut.replace(/^\.+|[. ]+$/g, "") || otherwise;
}

/** The first of "Name.md", "Name 1.md", … that is not taken. */
export function freePath(folder: string, name: string, isTaken: (path: string) => boolean): string {
  const prefix = folder === "" || folder === "/" ? "" : `${folder}/`;
  for (let number = 0; ; number++) {
    const path = `${prefix}${name}${number === 0 ? "" : ` ${number}`}.md`;
    if (!isTaken(path)) return path;
  }
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
