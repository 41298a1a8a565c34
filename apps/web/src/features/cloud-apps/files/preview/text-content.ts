import { decodeText, encodeText, type TextEncoding } from '@tongtu/contract/text-encodings';

/** A text as it was read, with what must be the same when it is saved. */
export type TextContent = {
  text: string;
  lineEnd: '\n' | '\r\n';
  /** The file has both kinds of line ends; saving makes them one. */
  hasMixedLineEnds: boolean;
  encoding: TextEncoding;
  /** Written again, it would have the same bytes: what the user leaves alone stays as it is. */
  canBeWritten: boolean;
  hasByteOrderMark: boolean;
};

const byteOrderMark = '\uFEFF';

/** Unless the user has chosen another one. Texts in Big5 mostly pass for GBK. */
const legacyEncodings: readonly TextEncoding[] = ['gb18030', 'gbk'];

/** Undefined for what is no text. `chosen` is the encoding that the user, or the app, has set. */
export function readText(bytes: Uint8Array, chosen?: TextEncoding): TextContent | undefined {
  const marked = markedEncoding(bytes);
  const isWide = marked === 'utf-16le' || marked === 'utf-16be' || chosen === 'utf-16le' || chosen === 'utf-16be';
  if (!isWide && bytes.includes(0)) return undefined;
  if (marked) return contentOf(bytes, marked);
  if (chosen) return contentOf(bytes, chosen) ?? contentOf(bytes, 'utf-8');
  const found = ['utf-8' as const, ...legacyEncodings].flatMap((encoding) => contentOf(bytes, encoding) ?? []);
  return found.find(({ canBeWritten }) => canBeWritten) ?? found[0];
}

/** By the byte order mark. */
function markedEncoding([first, second, third]: Uint8Array): TextEncoding | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined;
}

function contentOf(bytes: Uint8Array, encoding: TextEncoding): TextContent | undefined {
  const decoded = decodeText(bytes, encoding);
  if (decoded === undefined) return undefined;
  const hasByteOrderMark = decoded.startsWith(byteOrderMark);
  const windowsEnds = decoded.split('\r\n').length - 1;
  const allEnds = decoded.split(/\r\n|\r|\n/).length - 1;
  return {
    text: (hasByteOrderMark ? decoded.slice(1) : decoded).replaceAll(/\r\n|\r/g, '\n'),
    lineEnd: windowsEnds * 2 > allEnds ? '\r\n' : '\n',
    hasMixedLineEnds: allEnds !== windowsEnds && decoded.includes('\r'),
    encoding,
    canBeWritten: isSame(encodeText(decoded, encoding), bytes),
    hasByteOrderMark,
  };
}

function isSame(written: Uint8Array | undefined, bytes: Uint8Array): boolean {
  return written?.length === bytes.length && written.every((byte, at) => byte === bytes[at]);
}

/** What is saved for a text that was edited: the browser's text field knows only one line end. */
export function textToSave(text: string, { lineEnd, hasByteOrderMark }: TextContent): string {
  return `${hasByteOrderMark ? byteOrderMark : ''}${text.replaceAll('\n', lineEnd)}`;
}

/** The file of an edited text. Undefined where its encoding lacks a character. */
export function bytesToSave(text: string, content: TextContent): Uint8Array<ArrayBuffer> | undefined {
  return encodeText(textToSave(text, content), content.encoding);
}
