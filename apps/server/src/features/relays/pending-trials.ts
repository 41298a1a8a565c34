import type { ServerToRelay, TrialResult, TrialVisit } from '@tongtu/contract';
import { PendingReplies } from './pending-replies.ts';

/** Trial visits that one relay makes. */
export class PendingTrials extends PendingReplies<TrialResult> {
  readonly #send: (message: ServerToRelay) => void;

  constructor(send: (message: ServerToRelay) => void) {
    super({ maxPending: 200, busy: failed('relay-busy'), lost: failed('relay-lost') });
    this.#send = send;
  }

  async request(deviceId: number, visit: TrialVisit, timeoutMs: number): Promise<TrialResult> {
    const send = (correlation: number) => this.#send({ type: 'trial', correlation, deviceId, visit });
    // The relay has shorter timeouts of its own.
    return await this.ask({ send, timeoutMs, late: failed('relay-lost') });
  }
}

function failed(failure: string): TrialResult {
  return { answers: [], failure, script: null, socket: null, greeting: null };
}
