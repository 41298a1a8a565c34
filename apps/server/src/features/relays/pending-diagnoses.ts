import type { DiagnosisResult, ServerToRelay } from '@tongtu/contract';
import { DiagnosisReport } from '@tongtu/tunnel';

const MAX_PENDING = 100;

type Failure = Extract<DiagnosisResult, { ok: false }>;
/** `malformed`: the agent's report does not match the schema. */
export type DiagnosisOutcome = { ok: true; report: DiagnosisReport } | Failure | { ok: false; reason: 'malformed' };
type Pending = { resolve: (outcome: DiagnosisOutcome) => void; timer: NodeJS.Timeout };

/** Diagnoses that devices make for the server, by one relay. Each gets an outcome. */
export class PendingDiagnoses {
  readonly #send: (message: ServerToRelay) => void;
  readonly #pending = new Map<number, Pending>();
  #correlation = 0;
  #isClosed = false;

  constructor(send: (message: ServerToRelay) => void) {
    this.#send = send;
  }

  async request(deviceId: number, timeoutMs: number): Promise<DiagnosisOutcome> {
    if (this.#isClosed) return { ok: false, reason: 'lost' };
    if (this.#pending.size >= MAX_PENDING) return { ok: false, reason: 'busy' };
    const correlation = ++this.#correlation;
    return await new Promise((resolve) => {
      const timer = setTimeout(() => this.#settle(correlation, { ok: false, reason: 'timeout' }), timeoutMs);
      this.#pending.set(correlation, { resolve, timer });
      this.#send({ type: 'diagnose', correlation, deviceId });
    });
  }

  /** Ignores a late or unknown result. */
  onResult(correlation: number, result: DiagnosisResult): void {
    if (!result.ok) return this.#settle(correlation, result);
    const report = DiagnosisReport.safeParse(result.report).data;
    this.#settle(correlation, report === undefined ? { ok: false, reason: 'malformed' } : { ok: true, report });
  }

  /** Ends all, because the relay has disconnected. */
  close(): void {
    this.#isClosed = true;
    for (const correlation of this.#pending.keys()) this.#settle(correlation, { ok: false, reason: 'lost' });
  }

  #settle(correlation: number, outcome: DiagnosisOutcome): void {
    const pending = this.#pending.get(correlation);
    if (pending === undefined) return;
    this.#pending.delete(correlation);
    clearTimeout(pending.timer);
    pending.resolve(outcome);
  }
}
