import { decodeText } from './text-encodings.ts';

/** Pairs of the Chinese characters of GB 2312, as Latin-1 shows them. Words of western languages have no such pairs. */
const CHINESE_PAIRS = /^(?:[\0-\x7f]|[\xa1-\xa9\xb0-\xf7][\xa1-\xfe])*$/;
const PAIR = /[\xb0-\xf7][\xa1-\xfe]/;
const NOT_LATIN1 = /[^\0-\xff]/;
const HIGH = /[\x80-\xff]/;

/** The text behind `ÎÒ`, which is Chinese whose bytes somebody has read as Latin-1; any other text as it is. */
export function withoutMisreadLatin1(text: string): string {
  if (!HIGH.test(text) || NOT_LATIN1.test(text)) return text;
  const bytes = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
  const utf8 = decodeText(bytes, 'utf-8');
  if (utf8 !== undefined) return utf8;
  if (!PAIR.test(text) || !CHINESE_PAIRS.test(text)) return text;
  return decodeText(bytes, 'gb18030') ?? text;
}
