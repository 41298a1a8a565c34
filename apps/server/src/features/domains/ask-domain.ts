import { randomBytes, timingSafeEqual } from 'node:crypto';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP } from 'node:net';
import { domainCheckCode } from '@tongtu/contract/domain-check-code';
import { type AllowedAddresses, checkedLookup } from '../../http/public-address.ts';

const TIMEOUT_MS = 4_000;
const MAX_ANSWER_BYTES = 200;

export type AskedDomain = { domain: string; addresses: string[] };

export type AskDeps = {
  /** The console's address: mappings have its scheme and port. */
  publicUrl: string;
  gateKey: Buffer;
  /** A user could name any domain, so the server connects to public addresses only. */
  mayAsk: AllowedAddresses;
};

/**
 * Whether a request to the domain arrives at a relay of this installation, also by way of a CDN, whose addresses are not
 * ours: only our relays can answer with the code. Nothing else of the answer is used.
 */
export async function isAnsweredHere(
  { domain, addresses }: AskedDomain,
  { publicUrl, gateKey, mayAsk }: AskDeps,
): Promise<boolean> {
  const nonce = randomBytes(32).toString('base64url');
  const url = new URL(`/.tongtu/here?nonce=${nonce}`, publicUrl);
  url.hostname = domain;
  const answer = await ask(url, addresses, mayAsk).catch(() => undefined); // refused, slow or not there: not here
  const expected = Buffer.from(domainCheckCode(gateKey, domain, nonce));
  return answer?.length === expected.length && timingSafeEqual(answer, expected);
}

async function ask(url: URL, addresses: string[], mayAsk: AllowedAddresses): Promise<Buffer> {
  // Connects to the addresses that were looked at, whatever DNS says a moment later.
  const lookup = checkedLookup(mayAsk, async () => addresses.map((address) => ({ address, family: isIP(address) })));
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const request = url.protocol === 'https:' ? requestHttps : requestHttp;
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  // Its certificate comes only after this.
  const sent = request(url, { lookup, signal, agent: false, rejectUnauthorized: false }, (response) => {
    const parts: Buffer[] = [];
    let bytes = 0;
    response.on('data', (part: Buffer) => {
      parts.push(part);
      bytes += part.length;
      if (bytes > MAX_ANSWER_BYTES) response.destroy(new Error('not our answer'));
    });
    response.on('error', reject);
    response.on('end', () => resolve(Buffer.concat(parts)));
  });
  sent.on('error', reject);
  sent.end();
  return await promise;
}
