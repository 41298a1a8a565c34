import { MAX_SEEN_TEXT_LENGTH } from '@tongtu/tunnel';

/** Text of an unknown host as one short line, without control characters; undefined if nothing is left. */
export function seenText(text: string | undefined): string | undefined {
  const line = text
    ?.slice(0, MAX_SEEN_TEXT_LENGTH * 4)
    .replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\uFFFD\s]+/gu, ' ')
    .trim();
  if (line === undefined || line === '') return undefined;
  const short = line.slice(0, MAX_SEEN_TEXT_LENGTH);
  // Never half of a surrogate pair.
  return short.replace(/[\uD800-\uDBFF]$/, '').trim();
}

const namedEntities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  copy: '©',
  reg: '®',
  middot: '·',
  mdash: '—',
  ndash: '–',
};

/** Replaces the character references that occur in titles (HTML §13.5, XML §4.1). */
export function decodeEntities(text: string): string {
  return text.replaceAll(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([a-z]{2,8}));/gi, (whole, hex, decimal, name) => {
    if (name !== undefined) return namedEntities[name.toLowerCase()] ?? whole;
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : whole;
  });
}

/** Bytes of a device that does not say how it writes text: UTF-8, and GBK where they are none. Their end may be cut off. */
export function decodeSeen(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return new TextDecoder('gb18030').decode(bytes);
  }
}

/** A header field's value: Node.js reads its bytes as Latin-1. */
export function decodeSeenField(value: string): string {
  return decodeSeen(Buffer.from(value, 'latin1'));
}
