import type { ServerToRelay, TrialResult, TrialVisit } from '@tongtu/contract';

const MAX_PENDING = 200;

type Pending = { resolve: (result: TrialResult) => void; timer: NodeJS.Timeout };

/** Trial visits of one relay. Each gets a result. */
export class PendingTrials {
  readonly #send: (message: ServerToRelay) => void;
  readonly #pending = new Map<number, Pending>();
  #correlation = 0;
  #isClosed = false;

  constructor(send: (message: ServerToRelay) => void) {
    this.#send = send;
  }

  async request(deviceId: number, visit: TrialVisit, timeoutMs: number): Promise<TrialResult> {
    if (this.#isClosed || this.#pending.size >= MAX_PENDING) return failed('device-busy');
    const correlation = ++this.#correlation;
    return await new Promise((resolve) => {
      const timer = setTimeout(() => this.resolve(correlation, failed('target-timeout')), timeoutMs);
      this.#pending.set(correlation, { resolve, timer });
      this.#send({ type: 'trial', correlation, deviceId, visit });
    });
  }

  /** Ignores a late or unknown result. */
  resolve(correlation: number, result: TrialResult): void {
    const pending = this.#pending.get(correlation);
    if (pending === undefined) return;
    this.#pending.delete(correlation);
    clearTimeout(pending.timer);
    pending.resolve(result);
  }

  /** Ends all, because the relay has disconnected. */
  close(): void {
    this.#isClosed = true;
    for (const correlation of this.#pending.keys()) this.resolve(correlation, failed('device-offline'));
  }
}

function failed(failure: string): TrialResult {
  return { answers: [], failure, script: null, socket: null, greeting: null };
}
