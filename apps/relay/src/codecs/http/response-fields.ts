import { ownCookie, setCookieName } from './cookies.ts';
import { type Field, fieldValue } from './fields.ts';
import type { OriginRewrite } from './origin-rewrite.ts';
import type { ResponseHead } from './response-head.ts';

/** Fields of one connection (RFC 9110 §7.6.1), framing, and Alt-Svc, which would lead past the relay. */
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
  /** Set for devices: their cookies stay on their own host, and they cannot set these names. */
  reservedCookies: readonly string[] | undefined;
  /** Whether its cookies may reach further, up to this domain (lower case, without a dot in front). Absent: never. */
  mayNameCookieDomain?: ((domain: string) => boolean) | undefined;
  origins: OriginRewrite | undefined;
  /** Sent where the service sends none itself. */
  strictTransport?: string | undefined;
};

export const STRICT_TRANSPORT = 'Strict-Transport-Security';

/** The value of an answer's field for the visitor, in any protocol; undefined: the field is dropped. */
export function passedValue({ key, value }: Field, options: readonly string[], rules: AnswerRules): string | undefined {
  if (NEVER_PASSED.has(key) || (options.length > 0 && options.includes(key))) return undefined;
  if (rules.reservedCookies !== undefined) {
    if (key === 'set-cookie') return passedCookie(value, rules.reservedCookies, rules.mayNameCookieDomain);
    if (key === 'clear-site-data') return clearedOnlyHere(value);
  }
  const { origins } = rules;
  return origins === undefined ? value : origins.responseValue(key, value);
}

/** The Strict-Transport-Security that is added to the fields of the answer. */
export function addedStrictTransport(
  { status, fields }: Pick<ResponseHead, 'status' | 'fields'>,
  { strictTransport }: AnswerRules,
): string | undefined {
  if (strictTransport === undefined || status < 200) return undefined;
  return fieldValue(fields, STRICT_TRANSPORT.toLowerCase()) === undefined ? strictTransport : undefined;
}

function passedCookie(
  value: string,
  reservedCookies: readonly string[],
  mayNameDomain: AnswerRules['mayNameCookieDomain'] = () => false,
): string | undefined {
  return reservedCookies.includes(setCookieName(value)) ? undefined : ownCookie(value, mayNameDomain);
}

/**
 * The Clear-Site-Data directives that affect the host alone. Browsers clear the cookies of the whole registrable domain, so
 * one device would log visitors out of all others and of the console.
 */
function clearedOnlyHere(value: string): string | undefined {
  const kept = value.split(',').filter((directive) => directive.trim() !== '' && !/cookies|\*/i.test(directive));
  return kept.length === 0 ? undefined : kept.join(',').trim();
}
