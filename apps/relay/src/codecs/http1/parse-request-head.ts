import { connectionOptions, wantsKeepAlive } from './connection-options.ts';
import { type Field, MAX_FIELDS, parseFields } from '../http/fields.ts';
import { declaredFraming, NO_BODY } from '../http/framing.ts';
import { HttpRefusal } from '../http/http-refusal.ts';
import { checkMethod, isOriginForm, type RequestHead, routingHost, withoutEmptyPort } from '../http/request-head.ts';

const REQUEST_LINE = /^([!#$%&'*+\-.^_`|~0-9A-Za-z]+) ([\x21-\x7e]+) HTTP\/([0-9]\.[0-9])\r\n/;
const ABSOLUTE_FORM = /^https?:\/\/([^/?#]*)([/?][\x21\x22\x24-\x7e]*)?$/i;
/** Protocols inside which the relay could no longer see single requests. */
const BLIND_UPGRADE = /(?:^|[\s,])(?:h2c?|tls|http)(?:$|[\s,/])/i;

/** Reads a request head as HeadReader hands it out. Throws HttpRefusal; nothing is ever repaired. */
export function parseRequestHead(text: string, { maxFields = MAX_FIELDS } = {}): RequestHead {
  // RFC 9112 §2.2: ignore one empty line before a request; old clients send it after a POST.
  const lines = text.startsWith('\r\n') ? text.slice(2) : text;
  const line = REQUEST_LINE.exec(lines);
  if (line === null) throw new HttpRefusal('malformed request line');
  const [matched, method, rawTarget, versionText] = line as unknown as [string, string, string, string]; // the expression has three groups
  checkMethod(method);
  const version = versionOf(versionText);
  const fields = parseFields(lines, matched.length, { maxFields });
  const hostField = singleHost(fields);
  const options = connectionOptions(fields);
  return {
    method,
    target: originForm(rawTarget, method, hostField),
    version,
    host: routingHost(hostField),
    hostField,
    fields,
    options,
    framing: declaredFraming(fields, version) ?? NO_BODY,
    wantsKeepAlive: wantsKeepAlive(options, version),
    upgrade: version === 11 && options.includes('upgrade') ? upgradeOf(fields) : undefined,
  };
}

function versionOf(text: string): 10 | 11 {
  if (text === '1.1') return 11;
  if (text === '1.0') return 10;
  throw new HttpRefusal('unsupported HTTP version', 505);
}

function singleHost(fields: readonly Field[]): string {
  let host: string | undefined;
  for (const { key, value } of fields) {
    if (key !== 'host') continue;
    if (host !== undefined) throw new HttpRefusal('more than one Host');
    host = value;
  }
  if (host === undefined) throw new HttpRefusal('no Host');
  return withoutEmptyPort(host);
}

function originForm(target: string, method: string, hostField: string): string {
  if (isOriginForm(target, method)) return target;
  const absolute = ABSOLUTE_FORM.exec(target);
  if (absolute === null) throw new HttpRefusal('malformed request target');
  if (withoutEmptyPort(absolute[1] ?? '').toLowerCase() !== hostField.toLowerCase())
    throw new HttpRefusal('request target and Host disagree');
  const path = absolute[2];
  // RFC 9112 §3.2.4: without a path and a query OPTIONS is about the server as a whole.
  if (path === undefined) return method === 'OPTIONS' ? '*' : '/';
  return path.startsWith('?') ? `/${path}` : path;
}

function upgradeOf(fields: readonly Field[]): string | undefined {
  const upgrade = fields.find((field) => field.key === 'upgrade')?.value;
  return upgrade === undefined || upgrade === '' || BLIND_UPGRADE.test(upgrade) ? undefined : upgrade;
}
