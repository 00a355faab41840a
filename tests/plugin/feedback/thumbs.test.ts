import { beforeEach, expect, test } from "vitest";
import { Thumbs } from "../../../obsidian-plugin/src/feedback/thumbs";
import { FakeFeedback } from "./fake";

const HIT = { queryId: "q1", nodeId: "n1#c01", target: "hit" as const };
let backend: FakeFeedback;
let thumbs: Thumbs;

beforeEach(() => {
  backend = new FakeFeedback();
  thumbs = new Thumbs(backend);
});

test("a judgement holds for the question it was made of, and for no other", async () => {
  await thumbs.give(HIT, true, "just so");
  expect(backend.given).toEqual([{ query_id: "q1", node_id: "n1#c01", target: "hit", score: 5, comment: "just so" }]);
  expect(thumbs.of({ ...HIT })).toEqual({ feedbackId: "f1", up: true, comment: "just so" });
  expect(thumbs.of({ ...HIT, queryId: "q2" })).toBeNull();
  expect(thumbs.of({ ...HIT, target: "citation" })).toBeNull();
});

test("what could not be kept does not hold", async () => {
  backend.broken = true;
  await expect(thumbs.give(HIT, true)).rejects.toThrow("the logs are off");
  expect(thumbs.of(HIT)).toBeNull();
});

test("what is taken back is gone, and only what holds can be taken back", async () => {
  await thumbs.takeBack(HIT);
  await thumbs.give(HIT, false);
  await thumbs.takeBack(HIT);
  expect([backend.taken, thumbs.of(HIT)]).toEqual([["f1"], null]);
});

test("judgements of an earlier chat are read again", async () => {
  backend.holds = { feedback: [{ feedback_id: "f9", query_id: "q1", node_id: "q1", score: 1, target: "answer", comment: null, given_at: 1 }] };
  await thumbs.read("q1");
  expect(thumbs.of({ queryId: "q1", nodeId: "q1", target: "answer" })).toEqual({ feedbackId: "f9", up: false, comment: "" });
});
