import { parseHostField } from '@tongtu/base';
import type { Field } from './fields.ts';
import type { BodyFraming } from './framing.ts';
import { HttpRefusal } from './http-refusal.ts';

export type RequestHead = {
  method: string;
  /** Origin form (`/path?query`), or `*` of OPTIONS. */
  target: string;
  version: 10 | 11;
  /** The host as in routes: lower case, no port, no final dot, no brackets. */
  host: string;
  /** The Host field as the visitor sent it. */
  hostField: string;
  fields: Field[];
  options: readonly string[];
  framing: BodyFraming;
  wantsKeepAlive: boolean;
  /** The protocol of a valid Upgrade request. */
  upgrade: string | undefined;
};

/** The methods of Node's own parser, except CONNECT: the relay is no forward proxy. TRACE never reaches a device. */
const METHODS = new Set(
  (
    'GET HEAD POST PUT DELETE OPTIONS PATCH PROPFIND PROPPATCH MKCOL COPY MOVE LOCK UNLOCK SEARCH REPORT QUERY ACL BIND ' +
    'REBIND UNBIND LINK UNLINK CHECKOUT MERGE MKACTIVITY MKCALENDAR M-SEARCH NOTIFY SUBSCRIBE UNSUBSCRIBE PURGE SOURCE TRACE'
  ).split(' '),
);
const ORIGIN_FORM = /^\/[\x21\x22\x24-\x7e]*$/;

export function checkMethod(method: string): void {
  // A CONNECT names no resource, and bytes for its tunnel may follow at once: the relay stops reading the connection.
  if (method === 'CONNECT') throw new HttpRefusal('CONNECT', 405);
  if (!METHODS.has(method)) throw new HttpRefusal('unknown method', 501);
}

/** The host of a Host field, spelt as in routes. */
export function routingHost(hostField: string): string {
  const parsed = parseHostField(hostField);
  if (parsed === undefined) throw new HttpRefusal('malformed Host');
  return parsed.host;
}

/** An empty port is none (RFC 3986 §3.2.3). Services get no colon, which many of them refuse. */
export function withoutEmptyPort(hostField: string): string {
  return hostField.replace(/(?<!:):$/, '');
}

/** Whether a target is in origin form: without scheme and host. */
export function isOriginForm(target: string, method: string): boolean {
  return ORIGIN_FORM.test(target) || (target === '*' && method === 'OPTIONS');
}
