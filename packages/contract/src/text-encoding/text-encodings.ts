import { encodingTable } from './encoding-table.ts';

/** `gbk` differs from `gb18030` only where it writes the euro sign: as 0x80, like Windows. */
export type TextEncoding = 'utf-8' | 'gb18030' | 'gbk' | 'big5' | 'utf-16le' | 'utf-16be';

/** One for each encoding: to make one takes longer than to read a name. */
const decoders = new Map<TextEncoding, InstanceType<typeof TextDecoder>>();

/** The text, with its byte order mark. Undefined where the bytes are no text of this encoding. */
export function decodeText(bytes: Uint8Array, encoding: TextEncoding): string | undefined {
  const decoder = decoders.get(encoding) ?? new TextDecoder(encoding, { fatal: true, ignoreBOM: true });
  decoders.set(encoding, decoder);
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined; // it is not written in this encoding
  }
}

/** Undefined where the encoding lacks a character: GB18030 and those of Unicode have all. */
export function encodeText(text: string, encoding: TextEncoding): Uint8Array<ArrayBuffer> | undefined {
  switch (encoding) {
    case 'utf-8':
      return new TextEncoder().encode(text);
    case 'utf-16le':
    case 'utf-16be':
      return utf16Of(text, encoding === 'utf-16le');
    case 'gb18030':
    case 'gbk':
    case 'big5': {
      const encoded = encodeByTable(text, encoding);
      return encoded.isWhole ? encoded.bytes : undefined;
    }
  }
}

/** With a question mark in place of each character that the encoding lacks. */
export function encodeLossy(text: string, encoding: 'gb18030' | 'big5'): Uint8Array<ArrayBuffer> {
  return encodeByTable(text, encoding).bytes;
}

const QUESTION_MARK = 0x3f;
const EURO_SIGN = 0x20ac;

function encodeByTable(text: string, encoding: 'gb18030' | 'gbk' | 'big5') {
  const codeOf = encodingTable(encoding === 'gbk' ? 'gb18030' : encoding);
  const bytes = new Uint8Array(text.length * 4);
  let length = 0;
  let isWhole = true;
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0;
    const found = encoding === 'gbk' && point === EURO_SIGN ? 0x80 : codeOf(point);
    if (found === undefined) isWhole = false;
    const code = found ?? QUESTION_MARK;
    if (code > 0xffff) {
      bytes[length++] = Math.floor(code / 0x1_00_00_00);
      bytes[length++] = (code >> 16) & 0xff;
    }
    if (code > 0xff) bytes[length++] = (code >> 8) & 0xff;
    bytes[length++] = code & 0xff;
  }
  return { bytes: bytes.slice(0, length), isWhole };
}

function utf16Of(text: string, isLittleEndian: boolean): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(text.length * 2);
  const view = new DataView(bytes.buffer);
  for (let at = 0; at < text.length; at++) view.setUint16(at * 2, text.charCodeAt(at), isLittleEndian);
  return bytes;
}
