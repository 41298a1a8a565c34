import type { LineLoss } from '@tongtu/contract';

/** What was sent before counts less and less: after this time a third. */
const MEMORY_MS = 180_000;
/** Less says little: one lost packet would be a per cent. */
const MIN_BYTES = 150_000;
/**
 * A line is called lossy from such a loss on, until it is half of that. CUBIC itself causes up to 0.6 % on a full line.
 * bbr, which is not slowed down by losses, causes more, also where it is far from filling the line for long.
 */
const LOSSY_PERCENT = 1;
const LOSSY_PERCENT_OF_BBR = 2;
/** On a full line with a short queue bbr causes 2 to 13 %. So its bytes count only where it uses less of the line. */
const MAX_SHARE_OF_BBR = 0.25;
/** Nothing is known of a line that was idle for so long. */
const IDLE_MS = 5 * 60_000;
/** What is shown changes with each report; no device needs that more often. */
const REPORT_EVERY_MS = 2 * 60_000;
/** More bytes of one measurement count as if they were so many, so that a download does not outweigh the minutes after it. */
const MAX_COUNTED_BYTES = 1_000_000;

/** Bytes that were sent over a line, and how many of them had to be sent again. */
export type SentBytes = {
  sent: number;
  again: number;
  /** What controlled the congestion; null: unknown. */
  congestionControl: string | null;
  /** The rate at which they were sent, and that which a connection of this line has reached. Null: unknown. */
  bytesPerS: number;
  peakBytesPerS: number | null;
};

/** Whether one direction of a line loses packets. */
class Direction {
  #sent = 0;
  #again = 0;
  #isBbr = false;

  add({ sent, again, congestionControl, bytesPerS, peakBytesPerS }: SentBytes): void {
    if (sent === 0) return;
    this.#isBbr = congestionControl === 'bbr';
    if (this.#isBbr && bytesPerS > (peakBytesPerS ?? 0) * MAX_SHARE_OF_BBR) return;
    const weight = Math.min(1, MAX_COUNTED_BYTES / sent);
    this.#sent += sent * weight;
    this.#again += again * weight;
  }

  fade(factor: number): void {
    this.#sent *= factor;
    this.#again *= factor;
  }

  /** Whether it is lossy; `wasLossy`: it has been called so. */
  isLossy({ wasLossy }: { wasLossy: boolean }): boolean {
    const least = this.#isBbr ? LOSSY_PERCENT_OF_BBR : LOSSY_PERCENT;
    return (this.percent ?? 0) >= (wasLossy ? least / 2 : least);
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
  add(bytes: { toDevice: SentBytes; fromDevice: SentBytes | undefined }, rttMs: number, monotonicMs: number): boolean {
    const passedMs = monotonicMs - (this.#fadedAtMs ?? monotonicMs);
    this.#fadedAtMs = monotonicMs;
    this.#toDevice.fade(Math.exp(-passedMs / MEMORY_MS));
    this.#fromDevice.fade(Math.exp(-passedMs / MEMORY_MS));
    this.#toDevice.add(bytes.toDevice);
    if (bytes.fromDevice !== undefined) this.#fromDevice.add(bytes.fromDevice);
    if (bytes.toDevice.sent + (bytes.fromDevice?.sent ?? 0) >= MIN_BYTES / 10) this.#busyAtMs = monotonicMs;
    const loss = this.#judge(rttMs, monotonicMs);
    if (!this.#isNews(loss, monotonicMs)) return false;
    this.#shown = loss;
    this.#shownAtMs = monotonicMs;
    return true;
  }

  #judge(rttMs: number, monotonicMs: number): LineLoss | undefined {
    if (monotonicMs - this.#busyAtMs > IDLE_MS) return undefined;
    const directions = [this.#toDevice, this.#fromDevice];
    // With too little traffic to judge, what was known stays.
    if (directions.every(({ percent }) => percent === undefined)) return this.#shown;
    const lossy = directions.filter((direction) => direction.isLossy({ wasLossy: this.#shown !== undefined }));
    if (lossy.length === 0) return undefined;
    const percent = Math.max(...lossy.map((direction) => direction.percent ?? 0));
    return { percent: Math.round(percent * 10) / 10, rttMs: Math.round(rttMs) };
  }

  #isNews(loss: LineLoss | undefined, monotonicMs: number): boolean {
    const shown = this.#shown;
    if (loss === undefined || shown === undefined) return loss !== shown;
    if (monotonicMs - this.#shownAtMs < REPORT_EVERY_MS) return false;
    return Math.abs(loss.percent - shown.percent) >= Math.max(0.5, shown.percent / 4);
  }
}
