import { userAgentOf } from '../../http/browser/user-agent.ts';
import type { CallRequest } from '../../http/session.ts';
import type { Refusal, RefusalRecorder } from '../refused-visits/index.ts';
import type { OnRefused } from './check-url.ts';
import type { Visitor } from './find-grounds.ts';

type Refused = Omit<Refusal, 'userId' | 'ip' | 'userAgent'>;

/** Records that the visitor who sends this request is refused. */
export function recordRefusal(
  refusals: RefusalRecorder,
  { req, login }: { req: CallRequest } & Pick<Visitor, 'login'>,
  refused: Refused,
): void {
  refusals.record({ ...refused, userId: login?.userId, ip: req.ip, userAgent: userAgentOf(req) }, req.log);
}

/** Records the refusals of a decision on a visit. */
export function refusalsOf(
  refusals: RefusalRecorder,
  visitor: { req: CallRequest } & Pick<Visitor, 'login'>,
): OnRefused {
  return ({ visited: { host }, mapped: { mappingId, deviceId, userId: ownerId } }, reason) =>
    recordRefusal(refusals, visitor, { ownerId, mappingId, deviceId, host, reason });
}
