import type { TextKey } from "../i18n";
import type { Filters } from "../sidecar/wire";

/** What hits can be filtered by. */
export type FilterKind = "type" | "tag" | "path" | "date";

/** One filter: for a date, the key of one of `DATES`. */
export interface Filter {
  kind: FilterKind;
  value: string;
}

/** The kinds in the order they are shown, with their names. */
export const FILTER_KINDS: readonly { kind: FilterKind; label: TextKey; pick: TextKey }[] = [
  { kind: "type", label: "filterType", pick: "pickType" },
  { kind: "tag", label: "filterTag", pick: "pickTag" },
  { kind: "path", label: "filterFolder", pick: "pickFolder" },
  { kind: "date", label: "filterDate", pick: "pickDate" },
];

/** Spans of time up to now: which date, and how many days back; 0 is today. */
export const DATES: readonly { key: string; field: "updated" | "created"; days: number; label: TextKey }[] = [
  { key: "updated-0", field: "updated", days: 0, label: "updatedToday" },
  { key: "updated-7", field: "updated", days: 7, label: "updatedWeek" },
  { key: "updated-30", field: "updated", days: 30, label: "updatedMonth" },
  { key: "updated-365", field: "updated", days: 365, label: "updatedYear" },
  { key: "created-7", field: "created", days: 7, label: "createdWeek" },
  { key: "created-30", field: "created", days: 30, label: "createdMonth" },
  { key: "created-365", field: "created", days: 365, label: "createdYear" },
];

/** The filters with this one: once, and a date in the place of another one of the same field. */
export function withFilter(filters: readonly Filter[], added: Filter): Filter[] {
  const field = fieldOf(added);
  return [...filters.filter((one) => !isSame(one, added) && !(field !== undefined && fieldOf(one) === field)), added];
}

export function withoutFilter(filters: readonly Filter[], removed: Filter): Filter[] {
  return filters.filter((one) => !isSame(one, removed));
}

/** The filters as the sidecar takes them; `now` is the user's time, whose days are meant. */
export function asRequest(filters: readonly Filter[], now: Date): Filters {
  const request: Filters = {};
  for (const { kind, value } of filters) {
    if (kind !== "date") {
      (request[kind] ??= []).push(value);
      continue;
    }
    const date = DATES.find((one) => one.key === value);
    if (date !== undefined) request[date.field] = { from: midnight(now, date.days) };
  }
  return request;
}

/** The user's midnight so many days ago, to the second. */
function midnight(now: Date, daysAgo: number): string {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() - daysAgo).toISOString().replace(/\.\d+Z$/, "Z");
}

function fieldOf({ kind, value }: Filter): string | undefined {
  return kind === "date" ? DATES.find((one) => one.key === value)?.field : undefined;
}

function isSame(one: Filter, other: Filter): boolean {
  return one.kind === other.kind && one.value === other.value;
}
