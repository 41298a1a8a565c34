import type { ProbeResult, ServerToRelay } from '@tongtu/contract';
import { PendingReplies } from './pending-replies.ts';

type Asking = Extract<ServerToRelay, { type: 'probe' | 'wake' | 'upgrade' }>;
/** A target to try, or a machine to wake. */
export type ProbeRequest = Asking extends infer Message
  ? Message extends Asking
    ? Omit<Message, 'correlation'>
    : never
  : never;

/** Probes at one relay whose results have not arrived yet. */
export class PendingProbes extends PendingReplies<ProbeResult> {
  readonly #send: (message: ServerToRelay) => void;

  constructor(send: (message: ServerToRelay) => void) {
    const failed = { ok: false, step: 'relay', ms: 0 } as const;
    super({ maxPending: 500, busy: { ...failed, seen: 'busy' }, lost: { ...failed, seen: 'lost' } });
    this.#send = send;
  }

  async request(request: ProbeRequest, timeoutMs: number): Promise<ProbeResult> {
    const send = (correlation: number) => this.#send({ ...request, correlation });
    // The relay has a shorter timeout of its own, so no result means that the device did not answer.
    return await this.ask({ send, timeoutMs, late: { ok: false, step: 'agent', ms: timeoutMs, seen: 'timeout' } });
  }
}
