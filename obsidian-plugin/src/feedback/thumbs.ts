import type { FeedbackGiven, FeedbackList, FeedbackRequest } from "../sidecar/wire";

/** What was shown and is judged. */
export interface Judged {
  queryId: string;
  nodeId: string;
  target: FeedbackRequest["target"];
}

/** A judgement that holds. */
export interface Judgement {
  feedbackId: string;
  up: boolean;
  comment: string;
}

/** What judging needs of the connection. */
export interface FeedbackBackend {
  giveFeedback(request: FeedbackRequest): Promise<FeedbackGiven>;
  takeBackFeedback(id: string): Promise<unknown>;
  feedback(queryId: string): Promise<FeedbackList>;
}

const UP = 5;
const DOWN = 1;
const MIDDLE = 3;

/** Every judgement that was made or read, for as long as the plugin is loaded. */
export class Thumbs {
  private readonly held = new Map<string, Judgement>();

  constructor(private readonly backend: FeedbackBackend) {}

  of(judged: Judged): Judgement | null {
    return this.held.get(keyOf(judged)) ?? null;
  }

  /** Judges; a later judgement of the same takes the place of an earlier one. */
  async give(judged: Judged, up: boolean, comment = ""): Promise<Judgement> {
    const { queryId, nodeId, target } = judged;
    const { feedback_id } = await this.backend.giveFeedback({
      query_id: queryId,
      node_id: nodeId,
      target,
      score: up ? UP : DOWN,
      ...(comment === "" ? {} : { comment }),
    });
    const judgement = { feedbackId: feedback_id, up, comment };
    this.held.set(keyOf(judged), judgement);
    return judgement;
  }

  async takeBack(judged: Judged): Promise<void> {
    const judgement = this.of(judged);
    if (judgement === null) return;
    await this.backend.takeBackFeedback(judgement.feedbackId);
    this.held.delete(keyOf(judged));
  }

  /** Reads what was judged of a question before, of an earlier chat for example. */
  async read(queryId: string): Promise<void> {
    for (const one of (await this.backend.feedback(queryId)).feedback) {
      const judged = { queryId, nodeId: one.node_id, target: one.target };
      this.held.set(keyOf(judged), { feedbackId: one.feedback_id, up: one.score >= MIDDLE, comment: one.comment ?? "" });
    }
  }
}

function keyOf({ queryId, nodeId, target }: Judged): string {
  return JSON.stringify([queryId, target, nodeId]);
}
