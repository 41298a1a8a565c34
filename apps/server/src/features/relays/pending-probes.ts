import type { ProbeResult, ServerToRelay } from '@tongtu/contract';

const MAX_PENDING = 500;
const lost: ProbeResult = { ok: false, step: 'relay', ms: 0, seen: 'lost' };

type PendingProbe = { resolve: (result: ProbeResult) => void; timer: NodeJS.Timeout };

type Asking = Extract<ServerToRelay, { type: 'probe' | 'wake' | 'upgrade' }>;
/** A target to try, or a machine to wake. */
export type ProbeRequest = Asking extends infer Message
  ? Message extends Asking
    ? Omit<Message, 'correlation'>
    : never
  : never;

/** Probes at one relay whose results have not arrived yet. */
export class PendingProbes {
  readonly #send: (message: ServerToRelay) => void;
  readonly #pending = new Map<number, PendingProbe>();
  #correlation = 0;
  #isClosed = false;

  constructor(send: (message: ServerToRelay) => void) {
    this.#send = send;
  }

  /** Always resolves, also if no result arrives in time. */
  async request(request: ProbeRequest, timeoutMs: number): Promise<ProbeResult> {
    if (this.#isClosed) return lost;
    if (this.#pending.size >= MAX_PENDING) return { ok: false, step: 'relay', ms: 0, seen: 'busy' };
    const correlation = ++this.#correlation;
    return await new Promise((resolve) => {
      // The relay has a shorter timeout of its own, so no result means that the device did not answer.
      const late: ProbeResult = { ok: false, step: 'agent', ms: timeoutMs, seen: 'timeout' };
      const timer = setTimeout(() => this.resolve(correlation, late), timeoutMs);
      this.#pending.set(correlation, { resolve, timer });
      this.#send({ ...request, correlation });
    });
  }

  /** Ignores a late or unknown result. */
  resolve(correlation: number, result: ProbeResult): void {
    const pending = this.#pending.get(correlation);
    if (!pending) return;
    this.#pending.delete(correlation);
    clearTimeout(pending.timer);
    pending.resolve(result);
  }

  /** Resolves all pending probes, because the relay has disconnected. */
  close(): void {
    this.#isClosed = true;
    for (const correlation of this.#pending.keys()) this.resolve(correlation, lost);
  }
}
