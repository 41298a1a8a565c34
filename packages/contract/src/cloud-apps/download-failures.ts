import type { LocalizedText } from '../messages/localized-text.ts';

/** Why a call of the downloads failed. The code of the problem details is `downloads.` and the key. */
export const downloadFailures = {
  refused: { status: 409, zh: 'aria2 没有接受此操作', en: 'aria2 refused to do this.' },
  'not-found': { status: 404, zh: '没有这个下载，可能已被移除', en: 'There is no such download.' },
  'torrent-unreadable': { status: 422, zh: '这不是有效的种子文件', en: 'This is not a torrent file.' },
  'torrent-too-large': {
    status: 413,
    zh: '种子文件超过了 aria2 接受的大小（设置 rpc-max-request-size）',
    en: 'The torrent is larger than aria2 accepts (its setting rpc-max-request-size).',
  },
  'too-much': { status: 502, zh: 'aria2 里的内容太多，无法显示', en: 'aria2 has too much to be shown.' },
} as const satisfies Record<string, LocalizedText & { status: number }>;

export type DownloadFailure = keyof typeof downloadFailures;
