import { LiveEvent } from '@tongtu/contract';

/** Beyond this many, everything counts as changed. */
const MAX_KEPT = 10_000;

type Topic = LiveEvent['topic'];

/** Which lists changed lately, and whose. At first all of them: what happened before is not known. */
export class RecentTopics {
  #newer = new Set<string>();
  #older = new Set<string>();

  constructor() {
    this.addAll();
  }

  /** Without a user the list of every user has changed. */
  add({ topic, userId }: { topic: Topic; userId?: number | undefined }): void {
    this.#newer.add(keyOf(topic, userId));
    if (this.#newer.size > MAX_KEPT) this.addAll();
  }

  addAll(): void {
    this.#newer = new Set(LiveEvent.shape.topic.options.map((topic) => keyOf(topic)));
  }

  of(userId: number): Topic[] {
    const isRecent = (key: string) => this.#newer.has(key) || this.#older.has(key);
    return LiveEvent.shape.topic.options.filter((topic) => isRecent(keyOf(topic)) || isRecent(keyOf(topic, userId)));
  }

  /** Called at intervals: what was added stays for one of them at least, and for two at most. */
  forgetOlder(): void {
    this.#older = this.#newer;
    this.#newer = new Set();
  }
}

function keyOf(topic: Topic, userId?: number): string {
  return `${topic} ${userId ?? ''}`;
}
