import { hasByteSigns, nameOfBytes, nameText, withoutMisreadLatin1 } from '@tongtu/contract';
import { percentDecoded } from '../target-http/percent-names.ts';

/**
 * A name of aria2 as people read it. aria2 writes a torrent's name that is no UTF-8 as `%CE%D2`, and takes a name in a
 * Content-Disposition for Latin-1.
 */
export function readableName(text: string): string {
  const decoded = /%[89A-F][\dA-F]/i.test(text) ? percentDecoded(text) : text;
  if (!hasByteSigns(decoded)) return withoutMisreadLatin1(text);
  // `\xFF` is what is no text in GBK either.
  const readable = nameText(decoded, 'auto');
  return /\\x[89A-F][\dA-F]/.test(readable) ? text : readable;
}

/** JSON as aria2 writes it: the names of a disk go into it byte by byte, in UTF-8 or not. */
export function parseJsonOfBytes(bytes: Uint8Array): unknown {
  const text = bytesAsUtf8(bytes);
  if (text !== undefined) return JSON.parse(text) as unknown;
  const latin1 = Buffer.from(bytes).toString('latin1');
  return JSON.parse(latin1, (_key, value: unknown) =>
    typeof value === 'string' ? nameText(nameOfBytes(Buffer.from(value, 'latin1')), 'auto') : value,
  ) as unknown;
}

function bytesAsUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined; // a name is in another encoding
  }
}
