import { MuxClosedError } from '@tongtu/tunnel';
import { type PageKind, pageTexts } from '../../pages/page-texts.ts';
import {
  AgentOutdatedError,
  GrantEndedError,
  UpstreamBusyError,
  type UpstreamFailure,
  VisitorBusyError,
} from '../../upstream/upstream-stream.ts';

/** Why there is no answer. `revoked`: a new request would be answered differently. */
export type ExchangeFailure = PageKind | 'revoked';

/** `away`: the device did not come back in time. */
export type ExchangeCause = UpstreamFailure | 'bad-answer' | 'away';

const tenantPages: Record<ExchangeCause, ExchangeFailure> = {
  refused: 'target-refused',
  notFound: 'target-not-found',
  notAllowed: 'target-not-allowed',
  tlsFailed: 'target-tls-failed',
  certificateInvalid: 'target-certificate',
  timeout: 'target-timeout',
  lost: 'target-lost',
  busy: 'device-busy',
  visitorBusy: 'too-many-connections',
  agentOutdated: 'agent-outdated',
  revoked: 'revoked',
  away: 'device-offline',
  'bad-answer': 'target-bad-answer',
  noHttp2: 'target-no-http2',
};

/** The page for a visitor when the service did not answer. */
export function pageOfFailure(failure: ExchangeCause, isTenant: boolean): ExchangeFailure {
  return isTenant || failure === 'visitorBusy' ? tenantPages[failure] : 'console-unavailable';
}

/** The status of the page; undefined where a new decision makes it. */
export function pageStatus(failure: ExchangeFailure): number | undefined {
  return failure === 'revoked' ? undefined : pageTexts[failure].status;
}

/** The page for a visitor when there was no stream to the service. */
export function pageOfPoolError(error: unknown, isTenant: boolean): ExchangeFailure {
  if (error instanceof VisitorBusyError) return 'too-many-connections';
  if (error instanceof GrantEndedError) return 'revoked';
  if (error instanceof AgentOutdatedError) return 'agent-outdated';
  return isTenant ? 'device-busy' : 'console-unavailable';
}

/** The same where somebody asks about the device; undefined: no pool throws this. */
export function failureOfPoolError(error: unknown): ExchangeFailure | undefined {
  if (error instanceof MuxClosedError) return 'device-offline';
  const isKnown = [VisitorBusyError, GrantEndedError, AgentOutdatedError, UpstreamBusyError].some(
    (known) => error instanceof known,
  );
  return isKnown ? pageOfPoolError(error, true) : undefined;
}
