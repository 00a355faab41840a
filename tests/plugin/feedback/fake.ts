/** Keeps what it is told, as the sidecar's logs would. */
import type { FeedbackBackend } from "../../../obsidian-plugin/src/feedback/thumbs";
import type { FeedbackGiven, FeedbackList, FeedbackRequest } from "../../../obsidian-plugin/src/sidecar/wire";

export class FakeFeedback implements FeedbackBackend {
  readonly given: FeedbackRequest[] = [];
  readonly taken: string[] = [];
  holds: FeedbackList = { feedback: [] };
  broken = false;

  giveFeedback(request: FeedbackRequest): Promise<FeedbackGiven> {
    if (this.broken) return Promise.reject(new Error("the logs are off"));
    this.given.push(request);
    return Promise.resolve({ feedback_id: `f${this.given.length}` });
  }

  takeBackFeedback(id: string): Promise<void> {
    this.taken.push(id);
    return Promise.resolve();
  }

  feedback(): Promise<FeedbackList> {
    return Promise.resolve(this.holds);
  }
}
