import { mediaTypes } from '@tongtu/contract/media-types';
import type { OutgoingHttpHeaders } from 'node:http';

const previewTypes: Readonly<Record<string, string>> = Object.assign({}, ...Object.values(mediaTypes));

/** A preview runs no script, loads nothing, and is shown by the console alone. */
const PREVIEW_POLICY = "default-src 'none'; style-src 'unsafe-inline'; media-src 'self'; frame-ancestors 'self'";

/**
 * The headers for a file of the target, which may be hostile: it is a download, or a preview of a safe type. The browser
 * saves it as `shownName`.
 */
export function contentHeaders(
  name: string,
  { inline, shownName }: { inline: boolean; shownName: string },
): OutgoingHttpHeaders {
  const ending = name.slice(name.lastIndexOf('.') + 1).toLowerCase();
  const type = inline && Object.hasOwn(previewTypes, ending) ? previewTypes[ending] : undefined;
  return {
    'content-type': type ?? 'application/octet-stream',
    'content-disposition': contentDisposition(shownName, { inline: type !== undefined }),
    'x-content-type-options': 'nosniff',
    // Chromium shows no PDF in a sandbox. The type is fixed, so that nothing in it runs in this origin.
    'content-security-policy': type === 'application/pdf' ? "frame-ancestors 'self'" : `sandbox; ${PREVIEW_POLICY}`,
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'cache-control': 'private, no-cache',
  };
}

/** RFC 6266, with the name in RFC 5987's coding and a fallback in ASCII. */
export function contentDisposition(name: string, { inline }: { inline: boolean }): string {
  const ascii = name.replaceAll(/[^\x20-\x7e]|["\\%]/g, '_');
  const encoded = encodeURIComponent(name.toWellFormed()).replaceAll(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${inline ? 'inline' : 'attachment'}; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
