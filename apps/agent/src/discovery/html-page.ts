import { decodeEntities, seenText } from './seen-text.ts';

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

/** Decodes by the charset of the header, else of the page, else as UTF-8. Many pages of Chinese devices are in GBK. */
export function decodeText(body: Buffer, contentType: string | undefined): string {
  const beginning = body.toString('latin1', 0, CHARSET_BYTES);
  const charset =
    charsetOf(contentType) ?? charsetOf(/<meta[^>]{0,200}charset[^>]{0,100}/i.exec(beginning)?.[0]) ?? 'utf-8';
  try {
    return new TextDecoder(charset).decode(body);
  } catch {
    return new TextDecoder().decode(body); // an unknown charset
  }
}

function charsetOf(text: string | undefined): string | undefined {
  return text === undefined ? undefined : /charset\s*=\s*["']?([\w-]{2,30})/i.exec(text)?.[1]?.toLowerCase();
}

function iconOf(html: string): string | undefined {
  for (const [tag] of html.matchAll(/<link\s[^>]{0,500}>/gi)) {
    if (!/\srel=["']?(?:shortcut )?icon\b/i.test(tag)) continue;
    const href = /\shref=["']?([^"'>\s]{1,300})/i.exec(tag)?.[1];
    if (href !== undefined) return decodeEntities(href);
  }
  return undefined;
}
