import { type Field, fieldValue, isFieldName } from '../codecs/http/fields.ts';
import { isBodyless } from '../codecs/http/framing.ts';
import type { RequestHead } from '../codecs/http/request-head.ts';
import { type PageOrigin, pageOriginOf } from './page-origin.ts';

/** An Origin field as browsers write it: nothing follows the host and port. */
const SERIALIZED_ORIGIN = /^https?:\/\/[^/?#]+$/;

/** What the service gets of a preflight: what it decides by, and what it may log. */
const PASSED = new Set([
  'origin',
  'access-control-request-method',
  'access-control-request-headers',
  'access-control-request-private-network',
  'accept',
  'user-agent',
  'sec-fetch-site',
  'sec-fetch-mode',
  'sec-fetch-dest',
  // So that loops are still found.
  'cdn-loop',
  'max-forwards',
]);

/** The Origin of a request that a page of one of these mappings made; undefined for every other request. */
export function ownersOrigin(fields: readonly Field[], isOwners: (page: PageOrigin) => boolean): string | undefined {
  const origins = fields.filter(({ key }) => key === 'origin');
  const origin = origins.length === 1 ? origins[0]?.value : undefined;
  if (origin === undefined || !SERIALIZED_ORIGIN.test(origin)) return undefined;
  const page = pageOriginOf(origin);
  return page !== undefined && isOwners(page) ? origin : undefined;
}

/**
 * The preflight (https://fetch.spec.whatwg.org/#cors-preflight-fetch) that a browser sends before a request of such a page,
 * reduced to what belongs to one; undefined for every other request. Any program can write the same, so nothing else of
 * it may reach the service.
 */
export function ownersPreflight(
  request: RequestHead,
  isOwners: (page: PageOrigin) => boolean,
): RequestHead | undefined {
  const { method, target, fields, framing, upgrade } = request;
  if (method !== 'OPTIONS' || target === '*' || upgrade !== undefined || !isBodyless(framing)) return undefined;
  if (!isFieldName(fieldValue(fields, 'access-control-request-method') ?? '')) return undefined;
  if ((fieldValue(fields, 'sec-fetch-mode') ?? 'cors') !== 'cors') return undefined;
  if (ownersOrigin(fields, isOwners) === undefined) return undefined;
  return { ...request, fields: fields.filter(({ key }) => PASSED.has(key)) };
}
