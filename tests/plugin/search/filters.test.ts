import { expect, test } from "vitest";
import { asRequest, withFilter, withoutFilter, type Filter } from "../../../obsidian-plugin/src/search/filters";

const midnight = (month: number, day: number) => new Date(2026, month, day).toISOString().replace(".000Z", "Z");
const NOON = new Date(2026, 4, 10, 12);

test("filters of one kind are alternatives, those of several kinds all hold", () => {
  const filters: Filter[] = [
    { kind: "type", value: "concept" },
    { kind: "type", value: "project" },
    { kind: "tag", value: "bread" },
    { kind: "path", value: "Journal/" },
  ];
  expect(asRequest(filters, NOON)).toEqual({ type: ["concept", "project"], tag: ["bread"], path: ["Journal/"] });
});

test("a span of days begins at the user's midnight", () => {
  expect(asRequest([{ kind: "date", value: "updated-7" }], NOON)).toEqual({ updated: { from: midnight(4, 3) } });
  expect(asRequest([{ kind: "date", value: "updated-0" }, { kind: "date", value: "created-30" }], NOON)).toEqual({
    updated: { from: midnight(4, 10) },
    created: { from: midnight(3, 10) },
  });
});

test("a filter is there once, and a span takes the place of another of the same date", () => {
  const week: Filter = { kind: "date", value: "updated-7" };
  const month: Filter = { kind: "date", value: "updated-30" };
  const made: Filter = { kind: "date", value: "created-7" };
  expect(withFilter([week, made], month)).toEqual([made, month]);
  expect(withFilter([{ kind: "tag", value: "a" }], { kind: "tag", value: "a" })).toHaveLength(1);
  expect(withoutFilter([week, made], { ...week })).toEqual([made]);
});
