import type { Route } from '@tongtu/contract';
import { domainCheckCode } from '@tongtu/contract/domain-check-code';
import type { RequestHead } from '../../codecs/http/request-head.ts';
import type { LocalResponse } from '../../codecs/http/local-response.ts';

const HERE = /^\/\.tongtu\/here\?nonce=([A-Za-z0-9_-]{43})$/;

/**
 * `/.tongtu/here?nonce=…` on a mapping's host: the code by which the server sees that the domain leads to one of its relays,
 * whatever is between. Undefined for every other request.
 */
export function answerDomainCheck(
  gateKey: Buffer | undefined,
  { host }: Pick<Route, 'host'>,
  { method, target }: RequestHead,
): { type: 'local'; answer: LocalResponse } | undefined {
  const nonce = HERE.exec(target)?.[1];
  if (method !== 'GET' || gateKey === undefined || nonce === undefined) return undefined;
  const fields = [
    ['Content-Type', 'text/plain; charset=utf-8'],
    ['Cache-Control', 'no-store'],
    ['X-Content-Type-Options', 'nosniff'],
  ] as const;
  return { type: 'local', answer: { status: 200, fields, body: Buffer.from(domainCheckCode(gateKey, host, nonce)) } };
}
