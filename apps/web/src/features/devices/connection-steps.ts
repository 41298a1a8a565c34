import type { ConnectionCheck, ConnectionStep, MappingKind } from '@tongtu/contract';

export const connectionSteps: readonly ConnectionStep[] = ['dns', 'relay', 'agent', 'dns_lan', 'tcp', 'tls', 'http'];

export type StepStatus = 'wait' | 'process' | 'finish' | 'error' | 'skipped';

/** How each step of a check stands; without a result the check still runs. */
export function stepStatuses(
  kind: MappingKind,
  check: Pick<ConnectionCheck, 'ok' | 'step'> | undefined,
): { step: ConnectionStep; status: StepStatus }[] {
  const reached = check === undefined ? -1 : connectionSteps.indexOf(check.step);
  return connectionSteps.map((step, index) => {
    if (step === 'tls' && kind === 'http') return { step, status: 'skipped' };
    if (check === undefined) return { step, status: index === 0 ? 'process' : 'wait' };
    if (check.ok || index < reached) return { step, status: 'finish' };
    return { step, status: index === reached ? 'error' : 'wait' };
  });
}
