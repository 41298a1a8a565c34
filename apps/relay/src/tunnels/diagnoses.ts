import type { DiagnosisResult } from '@tongtu/contract';
import type { AgentMessage } from '@tongtu/tunnel';
import type { ControlChannel } from './control-channel.ts';

type Open = { correlation: number; settle: (result: DiagnosisResult) => void; timer: NodeJS.Timeout };

/** What one agent finds out about its own connection, once at a time. Each request gets an answer, whatever the agent does. */
export class Diagnoses {
  readonly #control: ControlChannel;
  readonly #features: ReadonlySet<string>;
  readonly #timeoutMs: number;
  #open: Open | undefined;
  #lastCorrelation = 0;

  constructor(control: ControlChannel, features: ReadonlySet<string>, timeoutMs: number) {
    this.#control = control;
    this.#features = features;
    this.#timeoutMs = timeoutMs;
  }

  async ask(): Promise<DiagnosisResult> {
    if (!this.#features.has('diagnose')) return { ok: false, reason: 'outdated' };
    if (this.#open !== undefined) return { ok: false, reason: 'busy' };
    const correlation = ++this.#lastCorrelation;
    return await new Promise((settle) => {
      const timer = setTimeout(() => this.#settle({ ok: false, reason: 'timeout' }), this.#timeoutMs);
      this.#open = { correlation, settle, timer };
      this.#control.send({ type: 'diagnose', correlation });
    });
  }

  /** Ignores a late report. */
  onReport({ correlation, report }: Extract<AgentMessage, { type: 'diagnosis' }>): void {
    if (this.#open?.correlation === correlation) this.#settle({ ok: true, report });
  }

  close(): void {
    this.#settle({ ok: false, reason: 'lost' });
  }

  #settle(result: DiagnosisResult): void {
    const open = this.#open;
    if (open === undefined) return;
    this.#open = undefined;
    clearTimeout(open.timer);
    open.settle(result);
  }
}
