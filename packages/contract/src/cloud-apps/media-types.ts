/**
 * What browsers show without running anything of it, by the ending of the name: the gateway sends these types, and the
 * console offers a preview. SVG and HTML are missing on purpose: they can hold scripts.
 */
export const mediaTypes = {
  image: {
    png: 'image/png',
    jpg: 'image/jpeg',
    jpeg: 'image/jpeg',
    gif: 'image/gif',
    webp: 'image/webp',
    avif: 'image/avif',
    bmp: 'image/bmp',
    ico: 'image/x-icon',
  },
  pdf: { pdf: 'application/pdf' },
  audio: {
    mp3: 'audio/mpeg',
    m4a: 'audio/mp4',
    aac: 'audio/aac',
    flac: 'audio/flac',
    wav: 'audio/wav',
    ogg: 'audio/ogg',
    opus: 'audio/ogg',
  },
  video: {
    mp4: 'video/mp4',
    m4v: 'video/mp4',
    mov: 'video/quicktime',
    mkv: 'video/x-matroska',
    webm: 'video/webm',
    ogv: 'video/ogg',
  },
} as const satisfies Record<string, Record<string, string>>;

export type MediaKind = keyof typeof mediaTypes;
