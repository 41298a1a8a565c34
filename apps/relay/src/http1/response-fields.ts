import { cookieName, ownCookie } from './cookies.ts';
import { type Field, fieldValue } from './fields.ts';
import type { OriginRewrite } from './origin-rewrite.ts';
import type { ResponseHead } from './response-head.ts';

/** Fields of one connection only (RFC 9110 §7.6.1), framing, and an offer that leads past the relay. */
const NEVER_PASSED = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'upgrade',
  'content-length',
  'transfer-encoding',
  'alt-svc',
]);

export type AnswerRules = {
  /** Set for devices: their cookies stay on their own host, and this name is not theirs to set. */
  reservedCookie: string | undefined;
  /** Whether its cookies may reach further, up to this domain (lower case, without a dot in front). Absent: never. */
  mayNameCookieDomain?: ((domain: string) => boolean) | undefined;
  origins: OriginRewrite | undefined;
  /** Said where the service says nothing of that itself. */
  strictTransport?: string | undefined;
};

export const STRICT_TRANSPORT = 'Strict-Transport-Security';

/** What the visitor gets as the value of a field of an answer, in any protocol; undefined: not the field at all. */
export function passedValue({ key, value }: Field, options: readonly string[], rules: AnswerRules): string | undefined {
  if (NEVER_PASSED.has(key) || (options.length > 0 && options.includes(key))) return undefined;
  if (rules.reservedCookie !== undefined) {
    if (key === 'set-cookie') return passedCookie(value, rules.reservedCookie, rules.mayNameCookieDomain);
    if (clearsCookies(key, value)) return undefined;
  }
  return rules.origins === undefined ? value : rules.origins.responseValue(key, value);
}

/** The Strict-Transport-Security that the visitor is to get besides the fields of the answer. */
export function addedStrictTransport(
  { status, fields }: Pick<ResponseHead, 'status' | 'fields'>,
  { strictTransport }: AnswerRules,
): string | undefined {
  if (strictTransport === undefined || status < 200) return undefined;
  return fieldValue(fields, STRICT_TRANSPORT.toLowerCase()) === undefined ? strictTransport : undefined;
}

function passedCookie(
  value: string,
  reservedCookie: string,
  mayNameDomain: AnswerRules['mayNameCookieDomain'] = () => false,
): string | undefined {
  return cookieName(value.split(';', 1)[0] ?? '') === reservedCookie ? undefined : ownCookie(value, mayNameDomain);
}

/** Browsers clear the cookies of the whole registrable domain, so one device would log visitors out of all others. */
function clearsCookies(key: string, value: string): boolean {
  return key === 'clear-site-data' && /"(cookies|\*)"/i.test(value);
}
