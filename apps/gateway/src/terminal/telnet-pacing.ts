/** Of input that the target has not confirmed. */
const MAX_UNCONFIRMED_BYTES = 32 * 1024;
const MARK_EVERY_BYTES = 8 * 1024;
/** A target that has not answered so many by then does not know timing marks, or takes them for an option set once. */
const PROVING_ANSWERS = 2;
const ANSWER_TIMEOUT_MS = 3_000;

export type TelnetPacingDeps = {
  send: (bytes: Buffer) => void;
  /** Undefined as long as the target has not spoken Telnet. */
  createMark: () => Buffer | undefined;
  onSent: () => void;
};

/**
 * Sends long input no faster than the target processes it, by timing marks (RFC 860). Without them megabytes would wait in
 * the buffers on the way, and Ctrl+C behind them. What is typed has no marks.
 */
export class TelnetPacing implements Disposable {
  readonly #deps: TelnetPacingDeps;
  #queue: Buffer[] = [];
  /** The bytes before each mark that is not answered, the first one first. */
  readonly #marked: number[] = [];
  #unmarkedBytes = 0;
  #unconfirmedBytes = 0;
  #answers = 0;
  #usesMarks = true;
  #timer: NodeJS.Timeout | undefined;

  constructor(deps: TelnetPacingDeps) {
    this.#deps = deps;
  }

  write(bytes: Buffer): void {
    this.#queue.push(bytes);
    this.#pump();
  }

  get queuedBytes(): number {
    return this.#queue.reduce((sum, { length }) => sum + length, 0);
  }

  takeAnswers(count: number): void {
    if (count === 0) return;
    this.#answers += count;
    this.#stopTimer();
    for (const bytes of this.#marked.splice(0, count)) this.#unconfirmedBytes -= bytes;
    this.#awaitProof();
    this.#pump();
    this.#deps.onSent();
  }

  [Symbol.dispose](): void {
    this.#stopTimer();
  }

  #pump(): void {
    while (this.#queue.length > 0 && this.#unconfirmedBytes < MAX_UNCONFIRMED_BYTES) {
      const next = this.#queue.shift() ?? Buffer.alloc(0);
      const part = next.subarray(0, MARK_EVERY_BYTES);
      if (part.length < next.length) this.#queue.unshift(next.subarray(part.length));
      this.#deps.send(part);
      if (this.#usesMarks) this.#mark(part.length);
    }
  }

  #mark(bytes: number): void {
    this.#unmarkedBytes += bytes;
    if (this.#unmarkedBytes < MARK_EVERY_BYTES) return;
    const mark = this.#deps.createMark();
    if (mark === undefined) return this.#forget();
    this.#deps.send(mark);
    this.#marked.push(this.#unmarkedBytes);
    this.#unconfirmedBytes += this.#unmarkedBytes;
    this.#unmarkedBytes = 0;
    this.#awaitProof();
  }

  #awaitProof(): void {
    if (this.#answers >= PROVING_ANSWERS || this.#marked.length === 0) return;
    this.#timer ??= setTimeout(() => this.#goWithout(), ANSWER_TIMEOUT_MS);
  }

  #stopTimer(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #goWithout(): void {
    this.#usesMarks = false;
    this.#forget();
    this.#pump();
    this.#deps.onSent();
  }

  #forget(): void {
    this.#marked.length = 0;
    this.#unmarkedBytes = 0;
    this.#unconfirmedBytes = 0;
  }
}
