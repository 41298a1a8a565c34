import { type MediaKind, mediaTypes } from '@tongtu/contract/media-types';

export type PreviewKind = MediaKind | 'text';

/** By the name's ending. */
const endings: Record<PreviewKind, readonly string[]> = {
  image: Object.keys(mediaTypes.image),
  pdf: Object.keys(mediaTypes.pdf),
  audio: Object.keys(mediaTypes.audio),
  video: Object.keys(mediaTypes.video),
  text: [
    ...[
      'txt',
      'log',
      'md',
      'csv',
      'tsv',
      'json',
      'xml',
      'yaml',
      'yml',
      'toml',
      'ini',
      'conf',
      'cfg',
      'env',
      'list',
      'nfo',
      'cue',
      'm3u',
      'm3u8',
    ],
    ...[
      'srt',
      'ssa',
      'reg',
      'inf',
      'url',
      'properties',
      'ass',
      'vtt',
      'lrc',
      'html',
      'htm',
      'css',
      'js',
      'ts',
      'jsx',
      'tsx',
      'vue',
      'svg',
      'sql',
      'diff',
      'patch',
    ],
    ...['sh', 'bash', 'bat', 'cmd', 'ps1', 'py', 'rb', 'php', 'java', 'c', 'h', 'cpp', 'go', 'rs', 'lua', 'service'],
  ],
};

const kinds = new Map(
  (Object.keys(endings) as PreviewKind[]) // an object literal has the keys of its type
    .flatMap((kind) => endings[kind].map((ending) => [ending, kind] as const)),
);

/** How a file of this name can be shown; undefined if it can only be downloaded. */
export function previewKind(name: string): PreviewKind | undefined {
  const ending = /\.([^.]+)$/.exec(name)?.[1];
  // Names such as `.bashrc`, `Makefile` and `hosts` are those of texts.
  if (ending === undefined || /^\.[^.]+$/.test(name)) return 'text';
  return kinds.get(ending.toLowerCase());
}
