import type { ProbeResult, ServerToRelay } from '@tongtu/contract';

const MAX_WAITING = 500;
const lost: ProbeResult = { ok: false, step: 'relay', ms: 0, seen: 'lost' };

type Waiting = { resolve: (result: ProbeResult) => void; timer: NodeJS.Timeout };

/** Questions to one relay that wait for their answers. */
export class Probes {
  readonly #send: (message: ServerToRelay) => void;
  readonly #waiting = new Map<number, Waiting>();
  #correlation = 0;
  #isClosed = false;

  constructor(send: (message: ServerToRelay) => void) {
    this.#send = send;
  }

  /** Always resolves; without an answer in time, with what that means. */
  async ask(target: { deviceId: number; mappingId: number }, timeoutMs: number): Promise<ProbeResult> {
    if (this.#isClosed) return lost;
    if (this.#waiting.size >= MAX_WAITING) return { ok: false, step: 'relay', ms: 0, seen: 'busy' };
    const correlation = ++this.#correlation;
    return await new Promise((resolve) => {
      // The relay limits its own waiting, so silence means that the device did not answer it.
      const late: ProbeResult = { ok: false, step: 'agent', ms: timeoutMs, seen: 'timeout' };
      const timer = setTimeout(() => this.answer(correlation, late), timeoutMs);
      this.#waiting.set(correlation, { resolve, timer });
      this.#send({ type: 'probe', correlation, ...target });
    });
  }

  /** A late or unknown answer is dropped. */
  answer(correlation: number, result: ProbeResult): void {
    const waiting = this.#waiting.get(correlation);
    if (!waiting) return;
    this.#waiting.delete(correlation);
    clearTimeout(waiting.timer);
    waiting.resolve(result);
  }

  /** The relay is gone: nobody will answer. */
  close(): void {
    this.#isClosed = true;
    for (const correlation of this.#waiting.keys()) this.answer(correlation, lost);
  }
}
