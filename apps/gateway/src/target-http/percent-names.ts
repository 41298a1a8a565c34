import { bytesOfName, hasByteSigns, nameOfBytes } from '@tongtu/contract';

/** A name as part of a URL, byte by byte where it is no UTF-8. */
export function percentEncoded(name: string): string {
  if (!hasByteSigns(name)) return encodeURIComponent(name);
  let encoded = '';
  for (const byte of bytesOfName(name))
    encoded += byte < 0x80 ? encodeURIComponent(String.fromCharCode(byte)) : `%${byte.toString(16).toUpperCase()}`;
  return encoded;
}

/** The name that a part of a URL means. One that is not well coded is then no possible one. */
export function percentDecoded(segment: string): string {
  if (!segment.includes('%')) return nameOfBytes(Buffer.from(segment));
  if (/%(?![\da-f]{2})/i.test(segment)) return `\ufffd${segment}`;
  const parts = segment.split(/%([\da-f]{2})/i);
  const bytes = parts.map((part, index) => (index % 2 === 1 ? Buffer.from(part, 'hex') : Buffer.from(part)));
  return nameOfBytes(Buffer.concat(bytes));
}
