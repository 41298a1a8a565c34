import type { Field } from './fields.ts';

/** A Cookie field without the cookies of these names; an empty text when nothing is left. */
export function withoutCookies(value: string, names: readonly string[]): string {
  if (!names.some((name) => value.includes(name))) return value;
  return value
    .split(';')
    .filter((pair) => !names.includes(cookieName(pair)))
    .join(';')
    .trim();
}

/** Every value that the Cookie fields have for a name. */
export function cookieValues(fields: readonly Field[], name: string): string[] {
  const values: string[] = [];
  for (const { key, value } of fields) {
    if (key !== 'cookie' || !value.includes(name)) continue;
    for (const pair of value.split(';')) {
      if (cookieName(pair) === name) values.push(pair.slice(pair.indexOf('=') + 1).trim());
    }
  }
  return values;
}

/** A Set-Cookie field of a mapping, without a Domain that it may not name: the cookie would reach other tenants. */
export function ownCookie(value: string, mayNameDomain: (domain: string) => boolean): string {
  if (!/domain/i.test(value)) return value;
  return value
    .split(';')
    .filter((part, index) => {
      const domain = index === 0 ? undefined : /^\s*domain\s*(?:=|$)\s*\.?(.*?)\s*$/i.exec(part)?.[1];
      return domain === undefined || mayNameDomain(domain.toLowerCase());
    })
    .join(';');
}

/** The name that a browser would send back: for a nameless cookie, the beginning of its value. */
export function setCookieName(value: string): string {
  const [pair = ''] = value.split(';', 1);
  return cookieName(pair.replace(/^[\s=]+/, ''));
}

function cookieName(pair: string): string {
  const equals = pair.indexOf('=');
  return (equals === -1 ? '' : pair.slice(0, equals)).trim();
}
