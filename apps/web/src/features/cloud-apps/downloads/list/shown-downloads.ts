import type { Download } from '@tongtu/contract';
import { downloadName } from '../../../../text/cloud-apps/downloads.ts';

export const downloadGroups = ['all', 'running', 'waiting', 'stopped'] as const;
export type DownloadGroup = (typeof downloadGroups)[number];

export function groupOf({ status }: Download): Exclude<DownloadGroup, 'all'> {
  switch (status) {
    case 'active':
      return 'running';
    case 'waiting':
    case 'paused':
      return 'waiting';
    case 'complete':
    case 'error':
      return 'stopped';
  }
}

export function countGroups(downloads: readonly Download[]): Record<DownloadGroup, number> {
  const counts = { all: downloads.length, running: 0, waiting: 0, stopped: 0 };
  for (const download of downloads) counts[groupOf(download)] += 1;
  return counts;
}

/** Those of the group whose name has each of the typed words. */
export function shownDownloads(downloads: readonly Download[], group: DownloadGroup, filter: string): Download[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  return downloads.filter((download) => {
    if (group !== 'all' && groupOf(download) !== group) return false;
    const name = downloadName(download).toLowerCase();
    return words.every((word) => name.includes(word));
  });
}
