import path from 'node:path';
import { DownloadError } from '../errors/download-error.ts';
import { readableName } from './readable-name.ts';
import type { Aria2Rpc, Call } from './rpc/aria2-rpc.ts';
import { type ListedDownload, type ResultOf, shown } from './rpc/results.ts';

/** So many at a time, because a torrent's answer may have a long list of trackers. */
const NAMES_AT_A_TIME = 200;
const METADATA = '[METADATA]';

/** The name of a download. `isMetadata`: of a magnet link, whose torrent is still unknown. */
export type DownloadName = { name: string; isMetadata: boolean };

const unknown: DownloadName = { name: '', isMetadata: false };

/** The names of downloads. Each is asked for until it can no longer change, and then remembered. */
export class DownloadNames {
  readonly #rpc: Aria2Rpc;
  #known = new Map<string, DownloadName & { isFinal: boolean }>();

  constructor(rpc: Aria2Rpc) {
    this.#rpc = rpc;
  }

  /** Asks for the names that are missing, and forgets those of other downloads. */
  async update(downloads: readonly ListedDownload[]): Promise<void> {
    const before = this.#known;
    this.#known = new Map();
    for (const { gid } of downloads) {
      const name = before.get(gid);
      if (name !== undefined) this.#known.set(gid, name);
    }
    const missing = downloads.filter(({ gid }) => this.#known.get(gid)?.isFinal !== true);
    await this.#askTorrents(missing.filter(({ infoHash }) => infoHash !== undefined).slice(0, NAMES_AT_A_TIME));
    const nameless = missing.filter(({ gid }) => this.#known.get(gid)?.isFinal !== true);
    await this.#askFiles(nameless.slice(0, NAMES_AT_A_TIME));
  }

  of(gid: string): DownloadName {
    return this.#known.get(gid) ?? unknown;
  }

  async #askTorrents(downloads: readonly ListedDownload[]): Promise<void> {
    const calls = downloads.map(({ gid }) => ({ method: 'tellStatus' as const, params: [gid, ['bittorrent']] }));
    await this.#ask(downloads, calls, (download, result) => {
      const name = result.bittorrent?.info?.name;
      if (name !== undefined)
        this.#known.set(download.gid, { name: shown(readableName(name)), isMetadata: false, isFinal: true });
    });
  }

  async #askFiles(downloads: readonly ListedDownload[]): Promise<void> {
    const calls = downloads.map(({ gid }) => ({ method: 'getFiles' as const, params: [gid] }));
    await this.#ask(downloads, calls, (download, result) => {
      if (result.files.length === 0) return;
      this.#known.set(download.gid, { ...nameOf(result), isFinal: isNameFinal(download) });
    });
  }

  async #ask<Asked extends 'tellStatus' | 'getFiles'>(
    downloads: readonly ListedDownload[],
    calls: readonly Call<Asked>[],
    keep: (download: ListedDownload, result: ResultOf<Asked>) => void,
  ): Promise<void> {
    if (calls.length === 0) return;
    const results = await this.#rpc.callAll(calls);
    for (const [index, download] of downloads.entries()) {
      // One that has just been removed has no name any more.
      const result = results[index];
      if (result !== undefined && !(result instanceof DownloadError)) keep(download, result);
    }
  }
}

/** The server may name the file when the download begins; a magnet link gets its name with its torrent. */
function isNameFinal({ infoHash, status, completedLength }: ListedDownload): boolean {
  if (status === 'complete' || status === 'error' || status === 'removed') return true;
  return infoHash === undefined && completedLength > 0;
}

function nameOf({ files, links }: ResultOf<'getFiles'>): DownloadName {
  const file = files[0]?.path ?? '';
  if (file.startsWith(METADATA)) return { name: shown(readableName(file.slice(METADATA.length))), isMetadata: true };
  const [link] = links;
  return {
    name: shown(readableName(file === '' && link !== undefined ? nameInLink(link) : path.posix.basename(file))),
    isMetadata: false,
  };
}

/** The last part of the path, or the host. */
function nameInLink(link: string): string {
  if (!URL.canParse(link)) return link;
  const { pathname, host } = new URL(link);
  const last = path.posix.basename(pathname);
  if (last === '') return host;
  try {
    return decodeURIComponent(last);
  } catch {
    return last; // not in UTF-8: see `readableName`
  }
}
