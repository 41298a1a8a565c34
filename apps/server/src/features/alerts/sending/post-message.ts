import { once } from 'node:events';
import { request as requestHttp, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { ProviderRequest, ProviderResponse } from '../providers/index.ts';
import {
  AddressRefused,
  checkedLookup,
  isHostRefused,
  type AllowedAddresses,
  type Resolve,
} from '../../../http/public-address.ts';

export type PostDeps = { allowedAddresses: AllowedAddresses; resolve: Resolve; timeoutMs?: number };

const TIMEOUT_MS = 10_000;
const MAX_RESPONSE_BYTES = 64 * 1024;

/**
 * Sends a message to an address that a user gave. It follows no redirect, connects only to allowed addresses, and reads
 * at most 64 KB of the response. Throws AddressRefused, the reason of `abort`, or the error of the connection.
 */
export async function postMessage(
  deps: PostDeps,
  message: ProviderRequest,
  abort: AbortSignal,
): Promise<ProviderResponse> {
  const { url, body, contentType, headers } = message;
  if (isHostRefused(url.hostname, deps.allowedAddresses)) throw new AddressRefused();
  const signal = AbortSignal.any([AbortSignal.timeout(deps.timeoutMs ?? TIMEOUT_MS), abort]);
  const request = url.protocol === 'https:' ? requestHttps : requestHttp;
  const req = request(url, {
    method: 'POST',
    headers: {
      ...headers,
      'content-type': contentType,
      'content-length': Buffer.byteLength(body),
      'user-agent': 'Tongtu-Alerts',
    },
    agent: false, // no reused connection, whose address was checked for another message
    lookup: checkedLookup(deps.allowedAddresses, deps.resolve),
    signal,
  });
  req.on('error', () => undefined); // an error after the response's head also ends the response, which is read below
  try {
    const responded = once(req, 'response', { signal }) as Promise<[IncomingMessage]>; // as node:http documents it
    req.end(body);
    const [response] = await responded;
    return { status: response.statusCode ?? 0, body: await readStart(response) };
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  } finally {
    req.destroy();
  }
}

/** Reads up to `MAX_RESPONSE_BYTES`. A response that breaks off counts as well, because its status may be enough. */
async function readStart(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes >= MAX_RESPONSE_BYTES) break;
    }
  } catch {
    // The response broke off: what was read until then is returned.
  }
  return Buffer.concat(chunks).subarray(0, MAX_RESPONSE_BYTES).toString();
}
