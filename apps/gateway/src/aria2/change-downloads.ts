import type { DownloadLimits, DownloadsChange, DownloadsChangeAll, DownloadSettings } from '@tongtu/contract';
import { TargetError } from '../session/live-session.ts';
import { DownloadError } from '../errors/download-error.ts';
import type { Aria2Rpc } from './rpc/aria2-rpc.ts';

/** Pauses and removals do not wait for what trackers say to it. */
const methods = {
  pause: 'forcePause',
  resume: 'unpause',
  remove: 'forceRemove',
  forget: 'removeDownloadResult',
} as const;
const methodsForAll = { pause: 'forcePauseAll', resume: 'unpauseAll', forget: 'purgeDownloadResult' } as const;

export async function changeDownload(rpc: Aria2Rpc, { action, id }: DownloadsChange): Promise<void> {
  if (action === 'retry') return await retry(rpc, id);
  await rpc.call({ method: methods[action], params: [id] });
}

export async function changeAll(rpc: Aria2Rpc, { action }: DownloadsChangeAll): Promise<void> {
  await rpc.call({ method: methodsForAll[action] });
}

/** aria2 cannot begin again what has failed. A new download of the same goes on with the file that is there. */
async function retry(rpc: Aria2Rpc, id: string): Promise<void> {
  const keys = ['status', 'dir', 'infoHash', 'files'];
  const { status, dir, infoHash, files } = await rpc.call({ method: 'tellStatus', params: [id, keys] });
  if (status !== 'error') throw new DownloadError('refused');
  if (infoHash !== undefined && !/^[0-9a-f]{40}$/i.test(infoHash)) throw new TargetError('protocol');
  const links = infoHash === undefined ? (files?.links ?? []) : [`magnet:?xt=urn:btih:${infoHash}`];
  if (links.length === 0) throw new DownloadError('refused');
  await rpc.call({ method: 'addUri', params: [links, { dir }] });
  await rpc.call({ method: 'removeDownloadResult', params: [id] });
}

export async function readLimits(rpc: Aria2Rpc): Promise<DownloadLimits> {
  const options = await rpc.call({ method: 'getGlobalOption' });
  return {
    download_limit: options['max-overall-download-limit'],
    upload_limit: options['max-overall-upload-limit'],
  };
}

export async function setLimits(rpc: Aria2Rpc, limits: DownloadLimits): Promise<void> {
  const options = {
    'max-overall-download-limit': String(limits.download_limit),
    'max-overall-upload-limit': String(limits.upload_limit),
  };
  await rpc.call({ method: 'changeGlobalOption', params: [options] });
}

export async function setSettings(rpc: Aria2Rpc, { id, ...settings }: DownloadSettings): Promise<void> {
  const options = {
    ...(settings.download_limit !== undefined && { 'max-download-limit': String(settings.download_limit) }),
    ...(settings.upload_limit !== undefined && { 'max-upload-limit': String(settings.upload_limit) }),
    ...(settings.files !== undefined && { 'select-file': settings.files.join(',') }),
  };
  await rpc.call({ method: 'changeOption', params: [id, options] });
}
