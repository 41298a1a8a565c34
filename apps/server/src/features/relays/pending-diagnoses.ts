import type { DiagnosisResult, SentLine, ServerToRelay } from '@tongtu/contract';
import { DiagnosisReport } from '@tongtu/tunnel';
import { PendingReplies } from './pending-replies.ts';

type Failure = Extract<DiagnosisResult, { ok: false }>;
/** `malformed`: the agent's report does not match the schema. */
export type DiagnosisOutcome =
  | { ok: true; report: DiagnosisReport; sent: SentLine[] | undefined }
  | Failure
  | { ok: false; reason: 'malformed' };

/** Diagnoses that devices make for the server, by one relay. */
export class PendingDiagnoses extends PendingReplies<DiagnosisOutcome> {
  readonly #send: (message: ServerToRelay) => void;

  constructor(send: (message: ServerToRelay) => void) {
    super({ maxPending: 100, busy: { ok: false, reason: 'busy' }, lost: { ok: false, reason: 'lost' } });
    this.#send = send;
  }

  async request(deviceId: number, timeoutMs: number): Promise<DiagnosisOutcome> {
    const send = (correlation: number) => this.#send({ type: 'diagnose', correlation, deviceId });
    return await this.ask({ send, timeoutMs, late: { ok: false, reason: 'timeout' } });
  }

  onResult(correlation: number, result: DiagnosisResult): void {
    if (!result.ok) return this.reply(correlation, result);
    const report = DiagnosisReport.safeParse(result.report).data;
    const { sent } = result;
    this.reply(correlation, report === undefined ? { ok: false, reason: 'malformed' } : { ok: true, report, sent });
  }
}
