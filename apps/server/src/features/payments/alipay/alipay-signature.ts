import { sign, verify, type KeyObject } from 'node:crypto';

/** RSA2: SHA256withRSA over UTF-8, in base64. The older RSA (SHA-1) is not accepted anywhere. */
export function signRsa2(key: KeyObject, text: string): string {
  return sign('sha256', Buffer.from(text), key).toString('base64');
}

export function isRsa2Valid(key: KeyObject, text: string, signature: string): boolean {
  return verify('sha256', Buffer.from(text), key, Buffer.from(signature, 'base64'));
}

/** The text that is signed: `name=value` of all parameters, sorted by name. */
export function signedText(parameters: Iterable<[string, string]>): string {
  return [...parameters]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
}
