import { type DownloadDetails, MAX_LISTED_FILES } from '@tongtu/contract';
import { z } from 'zod';
import { DownloadError } from './rpc/download-error.ts';
import { type Aria2Rpc, parse } from './rpc/aria2-rpc.ts';
import { Count, File, Flag, shown, Speed } from './rpc/results.ts';

const MAX_PEERS = 200;
const MAX_SHOWN_LINKS = 50;

const keys = ['gid', 'dir', 'infoHash', 'numPieces', 'files'];

const Status = z.object({ dir: z.string(), infoHash: z.string().optional(), numPieces: Count, files: z.array(File) });
const Options = z.object({ 'max-download-limit': Speed.default(0), 'max-upload-limit': Speed.default(0) });
const Peer = z.object({
  ip: z.string(),
  port: z.string(),
  bitfield: z.string().regex(/^[0-9a-f]*$/i),
  downloadSpeed: Count,
  uploadSpeed: Count,
  seeder: Flag,
});
const Server = z.object({ servers: z.array(z.object({ currentUri: z.string(), downloadSpeed: Count })) });

/** Reads what is shown of one download alone. Throws DownloadError. */
export async function readDetails(rpc: Aria2Rpc, id: string): Promise<DownloadDetails> {
  const [first, second, peers, servers] = await rpc.callAll([
    { method: 'tellStatus', params: [id, keys] },
    { method: 'getOption', params: [id] },
    { method: 'getPeers', params: [id] },
    { method: 'getServers', params: [id] },
  ]);
  const { dir, infoHash, numPieces, files } = parse(Status, first);
  const options = parse(Options, second);
  return {
    id,
    folder: shown(dir),
    info_hash: infoHash === undefined ? null : shown(infoHash),
    links: [...new Set(files.flatMap(({ uris }) => uris.map(({ uri }) => shown(uri))))].slice(0, MAX_SHOWN_LINKS),
    files: files.slice(0, MAX_LISTED_FILES).map((file) => fileOf(file, dir)),
    file_count: files.length,
    // aria2 has neither of a download that is not active.
    peers: peers instanceof DownloadError ? [] : peersOf(parse(z.array(Peer), peers), numPieces),
    servers: servers instanceof DownloadError ? [] : serversOf(parse(z.array(Server), servers)),
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

function peersOf(peers: readonly z.output<typeof Peer>[], pieces: number): DownloadDetails['peers'] {
  return peers.slice(0, MAX_PEERS).map(({ ip, port, bitfield, downloadSpeed, uploadSpeed, seeder }) => ({
    address: shown(ip.includes(':') ? `[${ip}]:${port}` : `${ip}:${port}`),
    progress: seeder ? 1 : Math.min(bitsIn(bitfield) / Math.max(pieces, 1), 1),
    download_speed: downloadSpeed,
    upload_speed: uploadSpeed,
    is_seeder: seeder,
  }));
}

function bitsIn(hexadecimal: string): number {
  let bits = 0;
  for (const digit of hexadecimal)
    bits += [0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4][Number.parseInt(digit, 16)]!;
  return bits;
}

function serversOf(files: readonly z.output<typeof Server>[]): DownloadDetails['servers'] {
  return files
    .flatMap(({ servers }) => servers)
    .slice(0, MAX_PEERS)
    .map(({ currentUri, downloadSpeed }) => ({
      address: shown(URL.canParse(currentUri) ? new URL(currentUri).host : currentUri),
      download_speed: downloadSpeed,
    }));
}
