import type { LineLoss } from '@tongtu/contract';

/** What was sent before counts less and less: after this time a third. */
const MEMORY_MS = 180_000;
/** Less says little: one lost packet would be a per cent. */
const MIN_BYTES = 150_000;
/** A line is called lossy from the first, until it is below the second. */
const LOSSY_PERCENT = 1;
const GOOD_PERCENT = 0.5;
/** Nothing is known of a line that was idle for so long. */
const IDLE_MS = 5 * 60_000;
/** What is shown changes with each report; no device needs that more often. */
const REPORT_EVERY_MS = 5 * 60_000;

/** Bytes that were sent over a line, and how many of them had to be sent again. */
export type SentBytes = { sent: number; again: number };

/** Whether one direction of a line loses packets. */
class Direction {
  #sent = 0;
  #again = 0;

  add({ sent, again }: SentBytes): void {
    this.#sent += sent;
    this.#again += again;
  }

  fade(factor: number): void {
    this.#sent *= factor;
    this.#again *= factor;
  }

  /** Undefined: too little was sent to say it. */
  get percent(): number | undefined {
    return this.#sent < MIN_BYTES ? undefined : Math.min((this.#again / this.#sent) * 100, 100);
  }
}

/** Whether the line of a device loses packets, over some minutes. It does not flicker, and an idle line is not judged. */
export class LineQuality {
  readonly #toDevice = new Direction();
  readonly #fromDevice = new Direction();
  #fadedAtMs: number | undefined;
  #busyAtMs = Number.NEGATIVE_INFINITY;
  #shown: LineLoss | undefined;
  #shownAtMs = Number.NEGATIVE_INFINITY;

  /** Undefined: it is good, or unknown. */
  get shown(): LineLoss | undefined {
    return this.#shown;
  }

  /** True if what is to be shown is another one now. */
  add(bytes: { toDevice: SentBytes; fromDevice: SentBytes }, rttMs: number, monotonicMs: number): boolean {
    const passedMs = monotonicMs - (this.#fadedAtMs ?? monotonicMs);
    this.#fadedAtMs = monotonicMs;
    this.#toDevice.fade(Math.exp(-passedMs / MEMORY_MS));
    this.#fromDevice.fade(Math.exp(-passedMs / MEMORY_MS));
    this.#toDevice.add(bytes.toDevice);
    this.#fromDevice.add(bytes.fromDevice);
    if (bytes.toDevice.sent + bytes.fromDevice.sent >= MIN_BYTES / 10) this.#busyAtMs = monotonicMs;
    const loss = this.#judge(rttMs, monotonicMs);
    if (!this.#isNews(loss, monotonicMs)) return false;
    this.#shown = loss;
    this.#shownAtMs = monotonicMs;
    return true;
  }

  #judge(rttMs: number, monotonicMs: number): LineLoss | undefined {
    if (monotonicMs - this.#busyAtMs > IDLE_MS) return undefined;
    const { percent: there } = this.#toDevice;
    const { percent: back } = this.#fromDevice;
    // With too little traffic to judge, what was known stays.
    if (there === undefined && back === undefined) return this.#shown;
    const percent = Math.max(there ?? 0, back ?? 0);
    if (percent < (this.#shown === undefined ? LOSSY_PERCENT : GOOD_PERCENT)) return undefined;
    return { percent: Math.round(percent * 10) / 10, rttMs: Math.round(rttMs) };
  }

  #isNews(loss: LineLoss | undefined, monotonicMs: number): boolean {
    const shown = this.#shown;
    if (loss === undefined || shown === undefined) return loss !== shown;
    if (monotonicMs - this.#shownAtMs < REPORT_EVERY_MS) return false;
    return Math.abs(loss.percent - shown.percent) >= Math.max(0.5, shown.percent / 4);
  }
}
