/** Ids that were passed over and may still come: peers that open streams from several threads send them out of order. */
const MAX_SKIPPED_IDS = 1024;

/** Which stream ids the peer has used, in bounded memory. */
export class PeerIds {
  readonly #skipped = new Set<number>();
  /** The id that follows when the peer opens its streams in order. */
  #nextId: number;

  constructor(firstId: 1 | 2) {
    this.#nextId = firstId;
  }

  /** False when the id was used before, or lies so far back that it may have been. */
  use(id: number): boolean {
    if (id < this.#nextId) return this.#skipped.delete(id);
    for (let skipped = Math.max(this.#nextId, id - 2 * MAX_SKIPPED_IDS); skipped < id; skipped += 2) {
      this.#skipped.add(skipped);
    }
    this.#nextId = id + 2;
    for (const oldest of this.#skipped) {
      if (this.#skipped.size <= MAX_SKIPPED_IDS) break;
      this.#skipped.delete(oldest);
    }
    return true;
  }
}
