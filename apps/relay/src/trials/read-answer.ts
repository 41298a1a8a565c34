import { MAX_TRIAL_TEXT_LENGTH, type TrialAnswer } from '@tongtu/contract';
import { brotliDecompressSync, constants, gunzipSync, inflateSync } from 'node:zlib';
import { type Field, fieldValue } from '../codecs/http/fields.ts';
import { namedCookies } from './cookie-jar.ts';
import { type PageFacts, readPage } from './read-page.ts';
import type { TrialResponse } from './trial-request.ts';

/** The beginning of a page is enough, and small bytes may be made of a huge one. */
const MAX_TEXT_BYTES = 256 * 1024;
const MAX_TITLE_LENGTH = 120;
const DECODED_BYTES = [Infinity, 8 * 1024, 1024, 256];
/** Pages with drawings (SVG) have titles in them, too. */
const MAX_TITLE_OPENINGS = 20;
const MAX_TITLE_ELEMENT = 2_300;
const CHARSET_BYTES = 2048;

/** A page that leads on later is read first. */
const MAX_REFRESH_SECONDS = 10;
const REFRESH = /^\s*(\d{1,9})(?:\.\d*)?\s*[;,]\s*(?:url\s*=\s*)?["']?([^"']+)/i;

/** What the owner is shown of an answer: no more of its body than a title, and where it leads. */
export function readAnswer(url: URL, response: TrialResponse): TrialAnswer {
  const { status, fields, isCut } = response;
  const text = (key: string) => shortText(fieldValue(fields, key));
  const contentType = fieldValue(fields, 'content-type') ?? '';
  const shown = decodeText(decodedBody(response), contentType);
  const isPage = /^text\/html|^application\/xhtml/i.test(contentType);
  const page = isPage ? readPage(shown, url) : nothing;
  return {
    target: (url.pathname + url.search).slice(0, MAX_TRIAL_TEXT_LENGTH),
    status,
    location: shortText(nextAddress(url, { status, fields }, page)),
    authenticate: text('www-authenticate'),
    server: text('server'),
    title: titleOf(shown, contentType, status),
    cookies: namedCookies(fields),
    isCut,
    generator: shortText(page.generator),
    isBlank: response.body.length === 0,
    origins: page.origins.map((origin) => origin.slice(0, MAX_TRIAL_TEXT_LENGTH)),
  };
}

const nothing: PageFacts = { refresh: undefined, generator: undefined, origins: [] };

/** Where a browser goes by itself; undefined: it stays. */
function nextAddress(
  url: URL,
  { status, fields }: { status: number; fields: readonly Field[] },
  { refresh }: PageFacts,
): string | undefined {
  if (status >= 300 && status < 400) return fieldValue(fields, 'location');
  const [, seconds = '', address = ''] = REFRESH.exec(fieldValue(fields, 'refresh') ?? refresh ?? '') ?? [];
  const isLeading = address !== '' && Number(seconds) <= MAX_REFRESH_SECONDS && URL.canParse(address, url.href);
  // A page that shows itself anew stays.
  return isLeading && new URL(address, url).href.replace(/#.*/, '') !== url.href ? address : undefined;
}

function shortText(text: string | undefined): string | null {
  return text === undefined ? null : text.slice(0, MAX_TRIAL_TEXT_LENGTH);
}

/**
 * Without its content coding; empty, if that is malformed. Of a body that is too large when it is read whole, the beginning
 * may still hold a title.
 */
export function decodedBody({ fields, body }: TrialResponse): Buffer {
  const encoding = fieldValue(fields, 'content-encoding') ?? '';
  for (const bytes of DECODED_BYTES) {
    const found = inflated(body.subarray(0, bytes), encoding);
    if (found !== undefined) return found;
  }
  return Buffer.alloc(0);
}

/** Undefined: malformed, or too large. */
function inflated(body: Buffer, encoding: string): Buffer | undefined {
  const options = { maxOutputLength: MAX_TEXT_BYTES };
  const finishFlush = constants.Z_SYNC_FLUSH; // the body may be cut
  try {
    switch (encoding.toLowerCase()) {
      case 'gzip':
      case 'x-gzip':
        return gunzipSync(body, { ...options, finishFlush });
      case 'deflate':
        return inflateSync(body, { ...options, finishFlush });
      case 'br':
        return brotliDecompressSync(body, { ...options, finishFlush: constants.BROTLI_OPERATION_FLUSH });
      default:
        return body;
    }
  } catch {
    return undefined;
  }
}

/** The title of a page; of an error without one, the beginning of its text. */
function titleOf(text: string, contentType: string, status: number): string | null {
  const title = titleElement(text);
  if (title !== undefined) return plain(title);
  const isText = contentType === '' || /^(?:text\/|application\/(?:problem\+)?json)/i.test(contentType);
  return status >= 400 && isText ? plain(text.slice(0, 4_000).replaceAll(/<[^<>]{0,1000}>/g, ' ')) : null;
}

/** One expression for all of it would try each of many beginnings for long, while the relay serves nobody. */
function titleElement(text: string): string | undefined {
  let openings = 0;
  for (const { index } of text.matchAll(/<title/gi)) {
    if (openings++ === MAX_TITLE_OPENINGS) break;
    const found = /^<title[^>]{0,200}>([^<]{1,2000})/i.exec(text.slice(index, index + MAX_TITLE_ELEMENT));
    if (found !== null) return found[1];
  }
  return undefined;
}

function decodeText(body: Buffer, contentType: string): string {
  const beginning = body.toString('latin1', 0, CHARSET_BYTES);
  const charset = /charset\s*=\s*["']?([\w-]{2,30})/i.exec(`${contentType} ${beginning}`)?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(charset).decode(body);
  } catch {
    return new TextDecoder().decode(body); // an unknown charset
  }
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: ' ', middot: '·' };

function plain(text: string): string | null {
  const decoded = text.replaceAll(/&(amp|lt|gt|quot|#39|nbsp|middot);/g, (_, name: string) => entities[name] ?? ' ');
  const shown = decoded.replaceAll(/[\p{Cc}\p{Cf}\p{Zs}\p{Zl}\p{Zp}]+/gu, ' ').trim();
  return shown === '' ? null : [...shown].slice(0, MAX_TITLE_LENGTH).join('');
}
