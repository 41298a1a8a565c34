import { sign, verify, type KeyObject } from 'node:crypto';

/** RSA2 by Alipay's documentation, without the product's code. */
export function rsa2(key: KeyObject, text: string): string {
  return sign('RSA-SHA256', Buffer.from(text, 'utf8'), key).toString('base64');
}

export function isRsa2(key: KeyObject, text: string, signature: string): boolean {
  return verify('RSA-SHA256', Buffer.from(text, 'utf8'), key, Buffer.from(signature, 'base64'));
}

export function sorted(parameters: Record<string, string>): string {
  const names = Object.keys(parameters).sort();
  return names.map((name) => `${name}=${parameters[name]}`).join('&');
}

export function yuan(fen: number): string {
  return `${Math.trunc(fen / 100)}.${String(Math.abs(fen) % 100).padStart(2, '0')}`;
}

/** The time in Beijing, as Alipay writes it. */
export function timeText(time: Date): string {
  return new Intl.DateTimeFormat('sv-SE', {
    timeZone: 'Asia/Shanghai',
    dateStyle: 'short',
    timeStyle: 'medium',
  }).format(time);
}
