/**
 * Names on a disk are bytes, and not all of them are UTF-8: an old Windows FTP server or NAS wrote them in GBK. In paths
 * such a name stands with U+EF80 to U+EFFF for its bytes from 0x80 on, as in the OPTU encodings of MirBSD, so that each
 * name is one text and each text leads to exactly one name. What is shown is another matter (`nameText`).
 */
import { decodeText, encodeText, type TextEncoding } from '../text-encoding/text-encodings.ts';

/** How an app's disk writes names: `auto` is UTF-8, and GB18030 where a name is no UTF-8. `gbk` is GB18030, which contains it. */
export const nameEncodings = ['auto', 'utf-8', 'gbk', 'big5'] as const;
export type NameEncoding = (typeof nameEncodings)[number];

const FIRST_BYTE_SIGN = 0xef80;
/** U+FFFD stands for what could not be read, so a name that really has it is written as bytes, too. */
const NEEDS_BYTES = /[\uef80-\uefff\ufffd]/;
const BYTE_SIGN = /[\uef80-\uefff]/;
const NOT_ASCII = /[^\0-\x7f]/;
/** Three bytes in UTF-8, which no other encoding has by chance: see `isSurelyUtf8`. */
const THREE_BYTES = /[\u0800-\uffff]/;

/** The name as it stands in paths. */
export function nameOfBytes(bytes: Uint8Array): string {
  const text = decodeText(bytes, 'utf-8');
  return text !== undefined && !NEEDS_BYTES.test(text) ? text : byteSigns(bytes);
}

/** The bytes of a name, or of a whole path. */
export function bytesOfName(name: string): Uint8Array<ArrayBuffer> {
  const utf8 = new TextEncoder().encode(name);
  if (!BYTE_SIGN.test(name)) return utf8;
  const bytes = new Uint8Array(utf8.length);
  let length = 0;
  for (let at = 0; at < utf8.length; at++) {
    const byte = utf8[at] ?? 0;
    // U+EF80 to U+EFFF are EE BE 80 to EE BF BF.
    if (byte === 0xee && ((utf8[at + 1] ?? 0) & 0xfe) === 0xbe) {
      bytes[length++] = (((utf8[at + 1] ?? 0) & 1) << 6) | ((utf8[at + 2] ?? 0) & 0x3f) | 0x80;
      at += 2;
    } else bytes[length++] = byte;
  }
  return bytes.slice(0, length);
}

/** Whether the name, or some name of a path, is not UTF-8. */
export function hasByteSigns(name: string): boolean {
  return BYTE_SIGN.test(name);
}

/**
 * How to show a name. `isAmongLegacy`: its folder has names that are no UTF-8, so that what could be either is not. Bytes
 * that are no text in any encoding are shown as `\xFF`.
 */
export function nameText(name: string, encoding: NameEncoding, { isAmongLegacy = false } = {}): string {
  if (!NOT_ASCII.test(name) || (THREE_BYTES.test(name) && !BYTE_SIGN.test(name))) return name;
  const bytes = bytesOfName(name);
  const utf8 = decodeText(bytes, 'utf-8');
  if (utf8 !== undefined && (encoding === 'utf-8' || isSurelyUtf8(bytes))) return utf8;
  const legacy = legacyText(bytes, encoding);
  if (utf8 === undefined) return legacy ?? escaped(bytes);
  const isLegacy = encoding === 'auto' ? isAmongLegacy : true;
  return (isLegacy ? legacy : undefined) ?? utf8;
}

/** How to show a path, whose names may be in different encodings. */
export function pathText(path: string, encoding: NameEncoding): string {
  if (!NOT_ASCII.test(path)) return path;
  return path
    .split('/')
    .map((name) => nameText(name, encoding))
    .join('/');
}

/** The name in paths for a text that the user has given; undefined where the encoding lacks a character. */
export function nameOfText(text: string, encoding: Exclude<NameEncoding, 'auto'>): string | undefined {
  if (!NOT_ASCII.test(text)) return text;
  const bytes = encodeText(text, legacyEncodings[encoding]);
  return bytes && nameOfBytes(bytes);
}

const legacyEncodings: Record<Exclude<NameEncoding, 'auto'>, TextEncoding> = {
  'utf-8': 'utf-8',
  gbk: 'gb18030',
  big5: 'big5',
};

function legacyText(bytes: Uint8Array, encoding: NameEncoding): string | undefined {
  if (encoding === 'utf-8') return undefined;
  return decodeText(bytes, encoding === 'auto' ? 'gb18030' : legacyEncodings[encoding]);
}

/**
 * Of text that is UTF-8: whether it is nothing else. Pairs of bytes alone (D2 BB) are also Chinese characters in GBK and
 * Big5, but a sequence of three is none in practice.
 */
function isSurelyUtf8(bytes: Uint8Array): boolean {
  return bytes.some((byte) => byte >= 0xe0);
}

function byteSigns(bytes: Uint8Array): string {
  let name = '';
  for (const byte of bytes) name += String.fromCharCode(byte < 0x80 ? byte : FIRST_BYTE_SIGN + byte - 0x80);
  return name;
}

function escaped(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes)
    text += byte < 0x80 ? String.fromCharCode(byte) : `\\x${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  return text;
}
