import { once } from 'node:events';
import { request as requestHttp, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { ProviderAnswer, ProviderCall } from '../providers/index.ts';
import {
  AddressRefused,
  guardedLookup,
  isHostRefused,
  type AllowedAddresses,
  type Resolve,
} from '../../../http/public-address.ts';

export type PostDeps = { allowedAddresses: AllowedAddresses; resolve: Resolve; timeoutMs?: number };

const TIMEOUT_MS = 10_000;
const MAX_ANSWER_BYTES = 64 * 1024;

/**
 * Sends a message to an address that a user gave: no redirect is followed, only addresses that are allowed are connected
 * to, and no more of an answer is read than is needed to judge it. Throws AddressRefused, or what went wrong.
 */
export async function postMessage(deps: PostDeps, call: ProviderCall, stop: AbortSignal): Promise<ProviderAnswer> {
  const { url, body, contentType, headers } = call;
  if (isHostRefused(url.hostname, deps.allowedAddresses)) throw new AddressRefused();
  const signal = AbortSignal.any([AbortSignal.timeout(deps.timeoutMs ?? TIMEOUT_MS), stop]);
  const request = url.protocol === 'https:' ? requestHttps : requestHttp;
  const req = request(url, {
    method: 'POST',
    headers: {
      ...headers,
      'content-type': contentType,
      'content-length': Buffer.byteLength(body),
      'user-agent': 'Tongtu-Alerts',
    },
    agent: false, // a connection of its own, to an address that was looked at for it
    lookup: guardedLookup(deps.allowedAddresses, deps.resolve),
    signal,
  });
  req.on('error', () => undefined); // what comes after the answer's head is told by the answer as well
  try {
    const answered = once(req, 'response', { signal }) as Promise<[IncomingMessage]>; // as node:http documents it
    req.end(body);
    const [answer] = await answered;
    return { status: answer.statusCode ?? 0, body: await readStart(answer) };
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  } finally {
    req.destroy();
  }
}

/**
 * What is beyond the limit is left where it is: nobody who answers a message has so much to say. An answer that breaks off
 * is one, too: its status may say all there is to know.
 */
async function readStart(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes >= MAX_ANSWER_BYTES) break;
    }
  } catch {
    // Judged by what there is.
  }
  return Buffer.concat(chunks).subarray(0, MAX_ANSWER_BYTES).toString();
}
