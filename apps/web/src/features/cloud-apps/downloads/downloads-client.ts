import type {
  DownloadLimits,
  DownloadsChange,
  DownloadsChangeAll,
  DownloadSettings,
  DownloadsResult,
  LinksAdd,
} from '@tongtu/contract';
import { createTargetCalls, readJson, type TargetCalls, withSignal } from '../connecting/target-calls.ts';

type AddOptions = { folder: string; download_limit: number };

/** The gateway's calls for the downloads of one session. All throw ApiError. */
export type DownloadsClient = Pick<TargetCalls, 'connect'> & {
  /** Changes with each session. */
  readonly id: number;
  addLinks: (body: LinksAdd) => Promise<DownloadsResult>;
  addTorrent: (file: Blob, options: AddOptions) => Promise<void>;
  change: (body: DownloadsChange) => Promise<void>;
  changeAll: (body: DownloadsChangeAll) => Promise<void>;
  readLimits: (signal?: AbortSignal) => Promise<DownloadLimits>;
  setLimits: (body: DownloadLimits) => Promise<void>;
  setSettings: (body: DownloadSettings) => Promise<void>;
};

/** `path` is that of the session. */
export function createDownloadsClient({ id, path }: { id: number; path: string }): DownloadsClient {
  const { connect, ask, post } = createTargetCalls(`${path}downloads/`, window.fetch.bind(window));
  return {
    id,
    connect,
    addLinks: async (body) => await post<DownloadsResult>('links', body),
    async addTorrent(file, { folder, download_limit: limit }) {
      const headers = { 'content-type': 'application/x-bittorrent' };
      await ask('torrent', { folder, download_limit: String(limit) }, { method: 'POST', headers, body: file });
    },
    change: async (body) => await post<void>('change', body),
    changeAll: async (body) => await post<void>('change_all', body),
    readLimits: async (signal) => await readJson<DownloadLimits>(await ask('limits', {}, withSignal(signal))),
    setLimits: async (body) => await post<void>('limits', body),
    setSettings: async (body) => await post<void>('settings', body),
  };
}
