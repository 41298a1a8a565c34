/** The time as HTTP states it (RFC 9110 §5.6.7), made anew once a second at most. */
export class HttpDate {
  readonly #nowMs: () => number;
  #second = 0;
  #text = '';

  /** `nowMs` is the wall clock. */
  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  get text(): string {
    const nowMs = this.#nowMs();
    const second = Math.floor(nowMs / 1000);
    if (second !== this.#second) {
      this.#second = second;
      this.#text = new Date(nowMs).toUTCString();
    }
    return this.#text;
  }
}
