/** The value of the Date field (RFC 9110 §5.6.7), computed at most once a second. */
export class HttpDate {
  readonly #wallClockMs: () => number;
  #second = 0;
  #text = '';

  constructor(wallClockMs: () => number) {
    this.#wallClockMs = wallClockMs;
  }

  get text(): string {
    const wallClockMs = this.#wallClockMs();
    const second = Math.floor(wallClockMs / 1000);
    if (second !== this.#second) {
      this.#second = second;
      this.#text = new Date(wallClockMs).toUTCString();
    }
    return this.#text;
  }
}
