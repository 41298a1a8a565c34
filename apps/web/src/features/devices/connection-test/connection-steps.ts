import type { ConnectionCheck, ConnectionStep, MappingKind } from '@tongtu/contract';

const toTheService: readonly ConnectionStep[] = ['dns', 'relay', 'agent', 'dns_lan'];
const toThePage: readonly ConnectionStep[] = [...toTheService, 'tcp', 'tls', 'http', 'visit'];

/** The steps of a visitor's request, by the protocol of the LAN service. */
export const connectionSteps: Record<MappingKind, readonly ConnectionStep[]> = {
  http: toThePage,
  https: toThePage,
  tcp: [...toTheService, 'tcp'],
  udp: [...toTheService, 'udp'],
};

export type StepStatus = 'wait' | 'process' | 'finish' | 'error' | 'skipped';

/** The state of each step. Without a result the test is still running. */
export function stepStatuses(
  kind: MappingKind,
  check: Pick<ConnectionCheck, 'ok' | 'step'> | undefined,
): { step: ConnectionStep; status: StepStatus }[] {
  const steps = connectionSteps[kind];
  const reached = check === undefined ? -1 : steps.indexOf(check.step);
  return steps.map((step, index) => {
    if (step === 'tls' && kind === 'http') return { step, status: 'skipped' };
    if (check === undefined) return { step, status: index === 0 ? 'process' : 'wait' };
    if (check.ok || index < reached) return { step, status: 'finish' };
    return { step, status: index === reached ? 'error' : 'wait' };
  });
}
