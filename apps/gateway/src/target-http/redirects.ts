import type { IncomingMessage } from 'node:http';

const HIDDEN_LOCATION = 'x-hidden-location';

/**
 * Hides where an answer redirects to from node-fetch, which would follow it: a second redirect of a request with a body
 * throws where nobody can catch it, and ends the process.
 */
export function hideLocation(answer: IncomingMessage): void {
  const headers = answer.rawHeaders;
  // In place: node makes `headers` of these when it is asked for them.
  for (let at = 0; at < headers.length; at += 2)
    if (/^location$/i.test(headers[at] ?? '')) headers[at] = HIDDEN_LOCATION;
}

type Reply = { status: number; headers: { get(name: string): string | null } };

/** Where a reply redirects to. Undefined: it does not, or to nowhere. */
export function redirectOf({ status, headers }: Reply, url: string): string | undefined {
  const location = [301, 302, 303, 307, 308].includes(status) ? headers.get(HIDDEN_LOCATION) : null;
  if (location === null || !URL.canParse(location, url)) return undefined;
  return new URL(location, url).href;
}
