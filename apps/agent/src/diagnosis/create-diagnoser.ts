import type { DiagnosisReport } from '@tongtu/tunnel';

export type Diagnoser = () => Promise<DiagnosisReport>;

/** Whoever asks while one diagnosis runs gets its result, so several relays that ask cost no more than one. */
export function createDiagnoser(diagnose: Diagnoser): Diagnoser {
  let running: Promise<DiagnosisReport> | undefined;
  return () => {
    running ??= diagnose().finally(() => (running = undefined));
    return running;
  };
}
