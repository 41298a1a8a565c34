import { DownloadId, withoutHiddenCharacters } from '@tongtu/contract';
import { z } from 'zod';

const MAX_SHOWN_LENGTH = 1_000;
const units: Record<string, number> = { '': 1, K: 2 ** 10, M: 2 ** 20 };

/** A number of aria2: decimal digits as text. */
export const Count = z
  .string()
  .regex(/^\d{1,20}$/)
  .transform((text) => Math.min(Number(text), Number.MAX_SAFE_INTEGER));
export const Flag = z.enum(['true', 'false']).transform((text) => text === 'true');
/** A speed limit as it was set: `0`, `100K`, `2M`. */
export const Speed = z
  .string()
  .regex(/^\d{1,15}[KkMm]?$/)
  .transform((text) => Number.parseInt(text, 10) * (units[text.replace(/\d+/, '').toUpperCase()] ?? 1));

/** Text of a target, so that it reads as it is written and has an end. */
export function shown(text: string): string {
  return withoutHiddenCharacters(text.slice(0, MAX_SHOWN_LENGTH));
}

export const GlobalOptions = z.object({
  dir: z.string(),
  'rpc-max-request-size': Count.default(2 * 1024 * 1024), // the default of aria2
  'max-overall-download-limit': Speed.default(0),
  'max-overall-upload-limit': Speed.default(0),
});

export const GlobalStat = z.object({
  downloadSpeed: Count,
  uploadSpeed: Count,
  numWaiting: Count,
  numStopped: Count,
  numStoppedTotal: Count.default(0),
});

/** What the list asks for. Names and files are asked for once, because they are long. */
export const listKeys = [
  ...['gid', 'status', 'totalLength', 'completedLength', 'uploadLength', 'downloadSpeed', 'uploadSpeed'],
  ...['connections', 'numSeeders', 'seeder', 'errorCode', 'errorMessage', 'infoHash', 'followedBy'],
];

export const ListedDownload = z.object({
  gid: DownloadId,
  status: z.enum(['active', 'waiting', 'paused', 'complete', 'error', 'removed']),
  totalLength: Count,
  completedLength: Count,
  uploadLength: Count,
  downloadSpeed: Count,
  uploadSpeed: Count,
  connections: Count,
  numSeeders: Count.optional(),
  seeder: Flag.optional(),
  errorCode: Count.optional(),
  errorMessage: z.string().optional(),
  infoHash: z.string().optional(),
  followedBy: z.array(z.string()).optional(),
});
export type ListedDownload = z.output<typeof ListedDownload>;

export const File = z.object({
  index: Count,
  path: z.string(),
  length: Count,
  completedLength: Count,
  selected: Flag,
  uris: z.array(z.object({ uri: z.string() })),
});
export type File = z.output<typeof File>;

export const Torrent = z.object({ info: z.object({ name: z.string() }).optional() });
