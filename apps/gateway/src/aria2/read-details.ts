import type { DownloadDetails } from '@tongtu/contract';
import { TargetError } from '../session/live-session.ts';
import { DownloadError } from '../errors/download-error.ts';
import { type Aria2Rpc, successful } from './rpc/aria2-rpc.ts';
import { type File, type Peer, type Server, shown } from './rpc/results.ts';

const MAX_SHOWN_LINKS = 50;

const keys = ['gid', 'dir', 'infoHash', 'numPieces', 'files'];

/** Reads what is shown of one download alone. Throws DownloadError. */
export async function readDetails(rpc: Aria2Rpc, id: string): Promise<DownloadDetails> {
  const [first, second, peers, servers] = await rpc.callAll([
    { method: 'tellStatus', params: [id, keys] },
    { method: 'getOption', params: [id] },
    { method: 'getPeers', params: [id] },
    { method: 'getServers', params: [id] },
  ]);
  const { dir, infoHash, numPieces, files } = successful(first);
  if (dir === undefined || numPieces === undefined || files === undefined) throw new TargetError('protocol');
  const options = successful(second);
  return {
    id,
    folder: shown(dir),
    info_hash: infoHash === undefined ? null : shown(infoHash),
    links: files.links.slice(0, MAX_SHOWN_LINKS).map(shown),
    files: files.files.map((file) => fileOf(file, dir)),
    file_count: files.fileCount,
    // aria2 has neither of a download that is not active.
    peers: peers instanceof DownloadError ? [] : peersOf(peers, numPieces),
    servers: servers instanceof DownloadError ? [] : serversOf(servers),
    download_limit: options['max-download-limit'],
    upload_limit: options['max-upload-limit'],
  };
}

function fileOf({ index, path, length, completedLength, selected }: File, dir: string): DownloadDetails['files'][0] {
  const folder = dir.endsWith('/') ? dir : `${dir}/`;
  return {
    number: index,
    path: shown(path.startsWith(folder) ? path.slice(folder.length) : path),
    total_bytes: length,
    completed_bytes: completedLength,
    is_selected: selected,
  };
}

function peersOf(peers: readonly Peer[], pieces: number): DownloadDetails['peers'] {
  return peers.map(({ ip, port, bitfield: bits, downloadSpeed, uploadSpeed, seeder }) => ({
    address: shown(ip.includes(':') ? `[${ip}]:${port}` : `${ip}:${port}`),
    progress: seeder ? 1 : Math.min(bits / Math.max(pieces, 1), 1),
    download_speed: downloadSpeed,
    upload_speed: uploadSpeed,
    is_seeder: seeder,
  }));
}

function serversOf(servers: readonly Server[]): DownloadDetails['servers'] {
  return servers.map(({ currentUri, downloadSpeed }) => ({
    address: shown(URL.canParse(currentUri) ? new URL(currentUri).host : currentUri),
    download_speed: downloadSpeed,
  }));
}
