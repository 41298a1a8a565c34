import { parseHostField } from '@tongtu/base';
import type { Field } from './fields.ts';
import type { BodyFraming } from './framing.ts';
import { HttpRefusal } from './http-refusal.ts';

export type RequestHead = {
  method: string;
  /** Origin form (`/path?query`), or `*` of OPTIONS. */
  target: string;
  version: 10 | 11;
  /** The host as routes know it: lower case, no port, no last dot, no brackets. */
  host: string;
  /** The Host field as the visitor sent it. */
  hostField: string;
  fields: Field[];
  options: readonly string[];
  framing: BodyFraming;
  wantsKeepAlive: boolean;
  /** What the visitor wants to change to, when it asked for that in the proper way. */
  upgrade: string | undefined;
};

/** The methods Node's own parser knows too, but for CONNECT: there is no proxy here. No device is ever asked to TRACE. */
const METHODS = new Set(
  (
    'GET HEAD POST PUT DELETE OPTIONS PATCH PROPFIND PROPPATCH MKCOL COPY MOVE LOCK UNLOCK SEARCH REPORT QUERY ACL BIND ' +
    'REBIND UNBIND LINK UNLINK CHECKOUT MERGE MKACTIVITY MKCALENDAR M-SEARCH NOTIFY SUBSCRIBE UNSUBSCRIBE PURGE SOURCE TRACE'
  ).split(' '),
);
const ORIGIN_FORM = /^\/[\x21\x22\x24-\x7e]*$/;

export function checkMethod(method: string): void {
  // Its target names no resource, and bytes for a tunnel may follow at once: nothing of such a connection is read on.
  if (method === 'CONNECT') throw new HttpRefusal('CONNECT', 405);
  if (!METHODS.has(method)) throw new HttpRefusal('unknown method', 501);
}

/** The host of a Host field as routes know it. */
export function routingHost(hostField: string): string {
  const parsed = parseHostField(hostField);
  if (parsed === undefined) throw new HttpRefusal('malformed Host');
  return parsed.host;
}

/** Whether a target is what a service is to be asked for, without scheme and host. */
export function isOriginForm(target: string, method: string): boolean {
  return ORIGIN_FORM.test(target) || (target === '*' && method === 'OPTIONS');
}
