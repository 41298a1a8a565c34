import type { DiagnosisReport } from '@tongtu/tunnel';

export type Diagnoser = () => Promise<DiagnosisReport>;

/** A request while a diagnosis runs gets the result of that one, so several relays that ask cost no more than one. */
export function createDiagnoser(diagnose: Diagnoser): Diagnoser {
  let running: Promise<DiagnosisReport> | undefined;
  return () => {
    running ??= diagnose().finally(() => (running = undefined));
    return running;
  };
}
