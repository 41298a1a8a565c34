import type { CloudAppOptions } from '@tongtu/contract';

/** Between the encoding of a target and the UTF-8 of the browser. Each direction keeps an unfinished character. */
export type TextEncoding = {
  toUtf8(bytes: Buffer): Buffer;
  fromUtf8(bytes: Buffer): Buffer;
};

export function createTextEncoding(encoding: CloudAppOptions['encoding']): TextEncoding {
  if (encoding === 'utf-8') return { toUtf8: (bytes) => bytes, fromUtf8: (bytes) => bytes };
  const fromTarget = new TextDecoder('gbk');
  const fromBrowser = new TextDecoder('utf-8');
  let codes: Uint16Array | undefined; // takes a few milliseconds, so only for somebody who types
  return {
    toUtf8: (bytes) => Buffer.from(fromTarget.decode(bytes, { stream: true })),
    fromUtf8: (bytes) => encode(fromBrowser.decode(bytes, { stream: true }), (codes ??= gbkCodes())),
  };
}

const QUESTION_MARK = 0x3f;

function encode(text: string, codes: Uint16Array): Buffer {
  const bytes: number[] = [];
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0;
    const code = point < 0x80 ? point : codes[point] || QUESTION_MARK;
    if (code > 0xff) bytes.push(code >> 8);
    bytes.push(code & 0xff);
  }
  return Buffer.from(bytes);
}

/** The code of each character, 0 for none. Node.js decodes GBK, but encodes UTF-8 alone. */
function gbkCodes(): Uint16Array {
  const decoder = new TextDecoder('gbk');
  const codes = new Uint16Array(0x1_0000);
  for (let lead = 0x81; lead <= 0xfe; lead += 1)
    for (let trail = 0x40; trail <= 0xfe; trail += 1) {
      const text = decoder.decode(Uint8Array.of(lead, trail));
      const point = text.charCodeAt(0);
      // A pair that is no character is decoded to U+FFFD, and perhaps the second byte as it is.
      if (text.length === 1 && text !== '\ufffd') codes[point] ||= (lead << 8) | trail;
    }
  return codes;
}
