import { type DeviceLine, type LineLoss, MAX_REPORTED_LINES } from '@tongtu/contract';

export type LineReporterDeps = {
  /** False when the server is away. */
  send: (message: { lines: DeviceLine[]; isWhole: boolean }) => boolean;
  intervalMs: number;
};

/**
 * Reports to the server which devices have a line that loses packets: changes together, every few seconds, and all of them
 * after each hello, so nothing is lost while the server is away.
 */
export class LineReporter {
  readonly #deps: LineReporterDeps;
  readonly #lossy = new Map<number, LineLoss>();
  readonly #changed = new Set<number>();
  #isScheduled = false;

  constructor(deps: LineReporterDeps) {
    this.#deps = deps;
  }

  /** `loss` undefined: the line is good or unknown, or the device is offline. */
  set(deviceId: number, loss: LineLoss | undefined): void {
    if (loss === undefined && !this.#lossy.delete(deviceId)) return;
    if (loss !== undefined) this.#lossy.set(deviceId, loss);
    this.#changed.add(deviceId);
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setTimeout(() => this.#report(), this.#deps.intervalMs).unref();
  }

  /** The server has just received which devices are online. */
  reportAll(): void {
    this.#changed.clear();
    const lines = [...this.#lossy].map(([deviceId, loss]) => ({ deviceId, loss }));
    this.#deps.send({ lines: lines.slice(0, MAX_REPORTED_LINES), isWhole: true });
    this.#send(lines.slice(MAX_REPORTED_LINES));
  }

  #report(): void {
    this.#isScheduled = false;
    const lines = [...this.#changed].map((deviceId) => ({ deviceId, loss: this.#lossy.get(deviceId) ?? null }));
    this.#changed.clear();
    this.#send(lines);
  }

  #send(lines: DeviceLine[]): void {
    for (let from = 0; from < lines.length; from += MAX_REPORTED_LINES)
      this.#deps.send({ lines: lines.slice(from, from + MAX_REPORTED_LINES), isWhole: false });
  }
}
