import { decodeEntities, decodeSeen, seenText } from './seen-text.ts';

/** The head of a page is near its beginning; `meta charset` must be within the first 1024 bytes (HTML §4.2.5.4). */
const CHARSET_BYTES = 2048;

export type HtmlPage = {
  title: string | undefined;
  /** The address of the icon as the page has it. */
  icon: string | undefined;
  /** Where `<meta http-equiv=refresh>` leads at once. */
  refresh: string | undefined;
};

/** Reads what names a page. Never throws: the bytes may be anything. */
export function readHtml(body: Buffer, contentType: string | undefined): HtmlPage {
  const html = decodeText(body, contentType);
  const title = /<title[^>]{0,200}>([^<]{0,2000})/i.exec(html)?.[1];
  return {
    title: title === undefined ? undefined : seenText(decodeEntities(title)),
    icon: iconOf(html),
    refresh: /<meta[^>]{0,200}http-equiv=["']?refresh["']?[^>]{0,200}url=["']?([^"'>\s]{1,300})/i.exec(html)?.[1],
  };
}

/**
 * Decodes by the charset of the header, else of the page. Where none is known, or it is UTF-8, which servers also write
 * above pages of Chinese devices that are in GBK, the bytes themselves decide.
 */
export function decodeText(body: Buffer, contentType: string | undefined): string {
  const beginning = body.toString('latin1', 0, CHARSET_BYTES);
  const inPage = charsetOf(/<(?:meta|\?xml)[^>]{0,200}(?:charset|encoding)[^>]{0,100}/i.exec(beginning)?.[0]);
  for (const charset of [charsetOf(contentType), inPage]) {
    const text = charset === undefined ? undefined : decodeBy(body, charset);
    if (text !== undefined) return text;
  }
  return decodeSeen(body);
}

/** Undefined for an unknown charset, and for UTF-8 where the bytes are none. */
function decodeBy(body: Buffer, charset: string): string | undefined {
  try {
    // The end of the body may be cut off.
    return new TextDecoder(charset, { fatal: /^utf-?8$/.test(charset) }).decode(body, { stream: true });
  } catch {
    return undefined;
  }
}

function charsetOf(text: string | undefined): string | undefined {
  return text === undefined
    ? undefined
    : /(?:charset|encoding)\s*=\s*["']?([\w-]{2,30})/i.exec(text)?.[1]?.toLowerCase();
}

function iconOf(html: string): string | undefined {
  for (const [tag] of html.matchAll(/<link\s[^>]{0,500}>/gi)) {
    if (!/\srel=["']?(?:shortcut )?icon\b/i.test(tag)) continue;
    const href = /\shref=["']?([^"'>\s]{1,300})/i.exec(tag)?.[1];
    if (href !== undefined) return decodeEntities(href);
  }
  return undefined;
}
