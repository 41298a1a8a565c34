import { checkTrailers } from '../http/body-part.ts';
import type { Field } from '../http/fields.ts';
import { declaredFraming, NO_BODY, type BodyFraming } from '../http/framing.ts';
import { HttpRefusal } from '../http/http-refusal.ts';
import { checkMethod, isOriginForm, type RequestHead, routingHost, withoutEmptyPort } from '../http/request-head.ts';
import { parseStreamFields } from './stream-fields.ts';

const CHUNKED: BodyFraming = { type: 'chunked' };
const KNOWN = new Set(['method', 'scheme', 'authority', 'path']);

/**
 * Reads the head of a request on an HTTP/2 stream as an HTTP/1.1 head. `hasBody`: DATA frames follow, if
 * only an empty one. Throws HttpRefusal.
 */
export function parseStreamRequest(raw: readonly string[], { hasBody }: { hasBody: boolean }): RequestHead {
  const { pseudo, fields } = parseStreamFields(raw);
  for (const name of pseudo.keys()) if (!KNOWN.has(name)) throw new HttpRefusal(`unknown :${name}`);
  const method = pseudo.get('method') ?? '';
  checkMethod(method);
  // The connection is TLS, so a gateway's requests for http are refused.
  if (pseudo.get('scheme') !== 'https') throw new HttpRefusal('unknown scheme');
  const target = pseudo.get('path') ?? '';
  if (!isOriginForm(target, method)) throw new HttpRefusal('malformed :path');
  const hostField = authorityOf(pseudo.get('authority'), fields);
  return {
    method,
    target,
    version: 11,
    host: routingHost(hostField),
    hostField,
    fields,
    options: [],
    framing: framingOf(fields, hasBody),
    wantsKeepAlive: true,
    upgrade: undefined,
  };
}

/** `:authority` takes the place of Host (RFC 9113 §8.3.1); where both are given they must agree. */
function authorityOf(authority: string | undefined, fields: readonly Field[]): string {
  const hosts = fields.filter((field) => field.key === 'host');
  if (hosts.length > 1) throw new HttpRefusal('more than one Host');
  const host = hosts[0]?.value;
  if (authority === undefined && host === undefined) throw new HttpRefusal('no :authority');
  if (authority !== undefined && host !== undefined && authority.toLowerCase() !== host.toLowerCase())
    throw new HttpRefusal(':authority and Host disagree');
  return withoutEmptyPort(authority ?? host ?? '');
}

function framingOf(fields: readonly Field[], hasBody: boolean): BodyFraming {
  const declared = declaredFraming(fields, 11);
  if (hasBody) return declared ?? CHUNKED;
  if (declared?.type === 'length' && declared.length > 0) throw new HttpRefusal('a Content-Length and no body');
  return declared ?? NO_BODY;
}

/** The trailers of a request. Throws HttpRefusal. */
export function parseStreamTrailers(raw: readonly string[]): readonly Field[] {
  const { pseudo, fields } = parseStreamFields(raw);
  if (pseudo.size > 0) throw new HttpRefusal('pseudo-header field as a trailer');
  checkTrailers(fields);
  return fields;
}
