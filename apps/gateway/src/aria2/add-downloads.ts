import { DownloadError } from '../errors/download-error.ts';
import type { Aria2Rpc } from './rpc/aria2-rpc.ts';
import type { GlobalOptions } from './rpc/results.ts';

/** Of a JSON-RPC request around the torrent in it: names, secret, folder. */
const REQUEST_BYTES = 4_096;

/** As the contract allows it: `folder` lies below the one of aria2. */
export type AddOptions = { folder: string; downloadLimit: number };

/** Adds each link as a download of its own. */
export async function addLinks(
  rpc: Aria2Rpc,
  links: readonly string[],
  options: AddOptions,
): Promise<{ added: number; refused: { link: string; error: DownloadError }[] }> {
  const rpcOptions = rpcOptionsOf(options, await readOptions(rpc));
  const results = await rpc.callAll(links.map((link) => ({ method: 'addUri' as const, params: [[link], rpcOptions] })));
  const refused = links.flatMap((link, index) => {
    const error = results[index];
    return error instanceof DownloadError ? [{ link, error }] : [];
  });
  return { added: links.length - refused.length, refused };
}

export async function addTorrent(rpc: Aria2Rpc, torrent: Buffer, options: AddOptions): Promise<void> {
  // Every torrent is a bencoded dictionary.
  if (torrent[0] !== 'd'.charCodeAt(0)) throw new DownloadError('torrent-unreadable');
  const global = await readOptions(rpc);
  const content = torrent.toString('base64');
  // aria2 would close the connection without an answer.
  if (content.length + REQUEST_BYTES > global['rpc-max-request-size']) throw new DownloadError('torrent-too-large');
  try {
    await rpc.call({ method: 'addTorrent', params: [content, [], rpcOptionsOf(options, global)] });
  } catch (error) {
    const isUnreadable = error instanceof DownloadError && /bencode|torrent|info dict/i.test(error.said);
    throw isUnreadable ? new DownloadError('torrent-unreadable', error.said, { cause: error }) : error;
  }
}

async function readOptions(rpc: Aria2Rpc): Promise<GlobalOptions> {
  return await rpc.call({ method: 'getGlobalOption' });
}

/** No others are ever set for a new download: some would let aria2 write anywhere or run a program. */
function rpcOptionsOf({ folder, downloadLimit }: AddOptions, { dir }: GlobalOptions) {
  return {
    ...(folder !== '' && { dir: `${dir.replace(/\/+$/, '')}/${folder}` }),
    ...(downloadLimit > 0 && { 'max-download-limit': String(downloadLimit) }),
  };
}
