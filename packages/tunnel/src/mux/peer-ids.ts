/** A peer that opens streams from several threads leaves fewer gaps. The oldest gap is dropped first. */
const MAX_GAPS = 64;

/** Ids of the peer's parity that were skipped and may still be used, both ends included. */
type Gap = { from: number; to: number };

/** The stream ids that the peer has used, in bounded memory and time, however many it skips. */
export class PeerIds {
  readonly #gaps: Gap[] = [];
  /** The next id if the peer opens its streams in order. */
  #nextId: number;

  constructor(firstId: 1 | 2) {
    this.#nextId = firstId;
  }

  /** False when the id was used before, or when its gap was dropped. */
  use(id: number): boolean {
    if (id < this.#nextId) return this.#useSkipped(id);
    if (id > this.#nextId) this.#addGap({ from: this.#nextId, to: id - 2 });
    this.#nextId = id + 2;
    return true;
  }

  #useSkipped(id: number): boolean {
    const index = this.#gaps.findIndex(({ from, to }) => from <= id && id <= to);
    const [gap] = index < 0 ? [] : this.#gaps.splice(index, 1);
    if (gap === undefined) return false;
    if (gap.from < id) this.#addGap({ from: gap.from, to: id - 2 });
    if (id < gap.to) this.#addGap({ from: id + 2, to: gap.to });
    return true;
  }

  #addGap(gap: Gap): void {
    this.#gaps.push(gap);
    if (this.#gaps.length > MAX_GAPS) this.#gaps.shift();
  }
}
