import type { CallRequest } from '../session.ts';

const MAX_LENGTH = 512;

/** The User-Agent, cut to the length that is stored. Empty if there is none. */
export function userAgentOf(req: CallRequest): string {
  return (req.headers['user-agent'] ?? '').slice(0, MAX_LENGTH);
}
