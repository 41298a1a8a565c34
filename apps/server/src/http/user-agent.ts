import type { CallRequest } from './session.ts';

const MAX_LENGTH = 512;

/** What the caller says it is, as much of it as is kept; empty where it says nothing. */
export function userAgentOf(req: CallRequest): string {
  return (req.headers['user-agent'] ?? '').slice(0, MAX_LENGTH);
}
