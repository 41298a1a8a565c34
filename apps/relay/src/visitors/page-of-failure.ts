import type { PageKind } from '../pages/page-texts.ts';
import type { UpstreamFailure } from './upstream-stream.ts';

const tenantPages: Record<UpstreamFailure | 'bad-answer', PageKind> = {
  refused: 'target-refused',
  notFound: 'target-not-found',
  notAllowed: 'target-not-allowed',
  tlsFailed: 'target-tls-failed',
  timeout: 'target-timeout',
  lost: 'target-lost',
  busy: 'device-busy',
  'bad-answer': 'target-bad-answer',
};

/** What a visitor is shown when the service behind the relay did not answer. */
export function pageOfFailure(failure: UpstreamFailure | 'bad-answer', isTenant: boolean): PageKind {
  return isTenant ? tenantPages[failure] : 'console-unavailable';
}
