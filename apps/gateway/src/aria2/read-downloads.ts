import type { Download } from '@tongtu/contract';
import { type Aria2Rpc, successful } from './rpc/aria2-rpc.ts';
import { type GlobalStat, listKeys, type ListedDownload, MAX_LISTED, shown } from './rpc/results.ts';
import { DownloadNames } from './read-names.ts';

export type DownloadList = {
  downloadSpeed: number;
  uploadSpeed: number;
  downloads: Download[];
  leftOut: number;
};

const statCall = { method: 'getGlobalStat' } as const;
const activeCall = { method: 'tellActive', params: [listKeys] } as const;
const waitingCall = { method: 'tellWaiting', params: [0, MAX_LISTED, listKeys] } as const;
/** From the last one backwards. */
const stoppedCall = { method: 'tellStopped', params: [-1, MAX_LISTED, listKeys] } as const;

/** Reads all downloads again and again. What does not change by itself is read only when aria2 counts something new. */
export class DownloadsReader {
  readonly #rpc: Aria2Rpc;
  readonly #names: DownloadNames;
  #stopped: ListedDownload[] = [];
  #stoppedCounts = '';

  constructor(rpc: Aria2Rpc) {
    this.#rpc = rpc;
    this.#names = new DownloadNames(rpc);
  }

  async read(): Promise<DownloadList> {
    const [first, second, third] = await this.#rpc.callAll([statCall, activeCall, waitingCall]);
    const stat = successful(first);
    const running = [...successful(second), ...successful(third)];
    await this.#readStopped(stat);
    const stopped = new Set(this.#stopped.map(({ gid }) => gid));
    // One that has stopped between the two requests is in both.
    const all = [...running.filter(({ gid }) => !stopped.has(gid)), ...this.#stopped];
    await this.#names.update(all);
    return {
      downloadSpeed: stat.downloadSpeed,
      uploadSpeed: stat.uploadSpeed,
      downloads: all.flatMap((download) => this.#toDownload(download)),
      leftOut: Math.max(stat.numStopped - MAX_LISTED, 0) + Math.max(stat.numWaiting - MAX_LISTED, 0),
    };
  }

  async #readStopped({ numStopped, numStoppedTotal }: GlobalStat): Promise<void> {
    const counts = `${numStopped} of ${numStoppedTotal}`;
    if (counts === this.#stoppedCounts) return;
    this.#stopped = numStopped === 0 ? [] : await this.#rpc.call(stoppedCall);
    this.#stoppedCounts = counts;
  }

  /** None for what the user has removed, and for a magnet link whose torrent has taken its place. */
  #toDownload(download: ListedDownload): Download[] {
    const { gid, status, infoHash, followedBy = [], ...rest } = download;
    const { name, isMetadata } = this.#names.of(gid);
    if (status === 'removed' || (isMetadata && status === 'complete' && followedBy.length > 0)) return [];
    return [
      {
        id: gid,
        status,
        name,
        is_torrent: infoHash !== undefined,
        is_metadata: isMetadata,
        is_seeding: status === 'active' && rest.seeder === true,
        total_bytes: rest.totalLength,
        completed_bytes: rest.completedLength,
        uploaded_bytes: rest.uploadLength,
        download_speed: rest.downloadSpeed,
        upload_speed: rest.uploadSpeed,
        connections: rest.connections,
        seeders: rest.numSeeders ?? null,
        error_code: status === 'error' ? (rest.errorCode ?? null) : null,
        error_message: status === 'error' ? shown(rest.errorMessage ?? '') : '',
      },
    ];
  }
}
