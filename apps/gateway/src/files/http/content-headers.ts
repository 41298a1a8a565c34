import type { OutgoingHttpHeaders } from 'node:http';

/** What browsers show without running anything of it. SVG and HTML are missing on purpose: they can hold scripts. */
const previewTypes: Record<string, string> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
  bmp: 'image/bmp',
  ico: 'image/x-icon',
  pdf: 'application/pdf',
  mp4: 'video/mp4',
  m4v: 'video/mp4',
  mov: 'video/quicktime',
  mkv: 'video/x-matroska',
  webm: 'video/webm',
  ogv: 'video/ogg',
  mp3: 'audio/mpeg',
  m4a: 'audio/mp4',
  aac: 'audio/aac',
  flac: 'audio/flac',
  wav: 'audio/wav',
  ogg: 'audio/ogg',
  opus: 'audio/ogg',
  ...Object.fromEntries(
    [
      'txt',
      'log',
      'md',
      'csv',
      'json',
      'xml',
      'yaml',
      'yml',
      'toml',
      'ini',
      'conf',
      'cfg',
      'srt',
      'vtt',
      'sh',
      'py',
    ].map((ending) => [ending, 'text/plain; charset=utf-8']),
  ),
};

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
  const type = inline ? previewTypes[name.slice(name.lastIndexOf('.') + 1).toLowerCase()] : undefined;
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
