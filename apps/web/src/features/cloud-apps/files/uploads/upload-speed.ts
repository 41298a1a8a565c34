/** Long enough for a steady number, short enough to follow a change. */
const windowMs = 5_000;

type Sample = { atMs: number; bytes: number };

/** How fast bytes are sent, of the last seconds. */
export class UploadSpeed {
  readonly #samples: Sample[] = [];

  add(sample: Sample): void {
    this.#samples.push(sample);
    while ((this.#samples[1]?.atMs ?? sample.atMs) <= sample.atMs - windowMs) this.#samples.shift();
  }

  /** What comes next does not continue what was. */
  reset(): void {
    this.#samples.length = 0;
  }

  get bytesPerSecond(): number {
    const first = this.#samples[0];
    const last = this.#samples.at(-1);
    if (!first || !last || last.atMs <= first.atMs) return 0;
    return Math.max(0, ((last.bytes - first.bytes) * 1_000) / (last.atMs - first.atMs));
  }
}
