/** A text as it was read, with what must be the same when it is saved. */
export type TextContent = {
  text: string;
  lineEnd: '\n' | '\r\n';
  /** The file has both kinds of line ends; saving makes them one. */
  hasMixedLineEnds: boolean;
  /** Only UTF-8 can be saved as it was. */
  isUtf8: boolean;
  hasByteOrderMark: boolean;
};

const byteOrderMark = '\uFEFF';

/** Undefined for what is no text. */
export function readText(bytes: Uint8Array): TextContent | undefined {
  if (bytes.includes(0)) return undefined;
  const utf8 = decode(bytes, 'utf-8');
  // Older Chinese texts are written in it.
  const decoded = utf8 ?? decode(bytes, 'gb18030');
  if (decoded === undefined) return undefined;
  const hasByteOrderMark = decoded.startsWith(byteOrderMark);
  const windowsEnds = decoded.split('\r\n').length - 1;
  const allEnds = decoded.split(/\r\n|\r|\n/).length - 1;
  return {
    text: (hasByteOrderMark ? decoded.slice(1) : decoded).replaceAll(/\r\n|\r/g, '\n'),
    lineEnd: windowsEnds * 2 > allEnds ? '\r\n' : '\n',
    hasMixedLineEnds: allEnds !== windowsEnds && decoded.includes('\r'),
    isUtf8: utf8 !== undefined,
    hasByteOrderMark,
  };
}

function decode(bytes: Uint8Array, encoding: string): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined; // it is not written in this encoding
  }
}

/** What is saved for a text that was edited: the browser's text field knows only one line end. */
export function textToSave(text: string, { lineEnd, hasByteOrderMark }: TextContent): string {
  return `${hasByteOrderMark ? byteOrderMark : ''}${text.replaceAll('\n', lineEnd)}`;
}
