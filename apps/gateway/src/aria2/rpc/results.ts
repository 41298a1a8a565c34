import { DownloadId, MAX_LISTED_FILES, withoutHiddenCharacters } from '@tongtu/contract';
import { z } from 'zod';
import type { Method } from './methods.ts';

const MAX_SHOWN_LENGTH = 1_000;
/** aria2 itself keeps 1000 stopped ones, unless its settings say otherwise. */
export const MAX_LISTED = 1_000;
const MAX_PEERS = 200;
/** Of one download; the contract allows 8192 characters. */
const MAX_LINKS = 100;
const MAX_LINK_LENGTH = 8_192;
const MAX_PATH_LENGTH = 4_096;
const units: Record<string, number> = { '': 1, K: 2 ** 10, M: 2 ** 20 };

/** A number of aria2: decimal digits as text. */
const Count = z
  .string()
  .regex(/^\d{1,20}$/)
  .transform((text) => Math.min(Number(text), Number.MAX_SAFE_INTEGER));
const Flag = z.enum(['true', 'false']).transform((text) => text === 'true');
/** A speed limit as it was set: `0`, `100K`, `2M`. */
const Speed = z
  .string()
  .regex(/^\d{1,15}[KkMm]?$/)
  .transform((text) => Number.parseInt(text, 10) * (units[text.replace(/\d+/, '').toUpperCase()] ?? 1));
const Path = z.string().transform((text) => text.slice(0, MAX_PATH_LENGTH));
const Shown = z.string().transform((text) => text.slice(0, MAX_SHOWN_LENGTH));

/** Text of a target, so that it reads as it is written and has an end. */
export function shown(text: string): string {
  return withoutHiddenCharacters(text.slice(0, MAX_SHOWN_LENGTH));
}

/** The first ones alone: the others are not even looked at. */
function first<Item extends z.ZodType>(count: number, item: Item) {
  return z
    .array(z.unknown())
    .transform((list) => list.slice(0, count))
    .pipe(z.array(item));
}

const GlobalOptions = z.object({
  dir: Path,
  'rpc-max-request-size': Count.default(2 * 1024 * 1024), // the default of aria2
  'max-overall-download-limit': Speed.default(0),
  'max-overall-upload-limit': Speed.default(0),
});
export type GlobalOptions = z.output<typeof GlobalOptions>;

const GlobalStat = z.object({
  downloadSpeed: Count,
  uploadSpeed: Count,
  numWaiting: Count,
  numStopped: Count,
  numStoppedTotal: Count.default(0),
});
export type GlobalStat = z.output<typeof GlobalStat>;

/** What the list asks for. Names and files are asked for once, because they are long. */
export const listKeys = [
  ...['gid', 'status', 'totalLength', 'completedLength', 'uploadLength', 'downloadSpeed', 'uploadSpeed'],
  ...['connections', 'numSeeders', 'seeder', 'errorCode', 'errorMessage', 'infoHash', 'followedBy'],
];

const ListedDownload = z.object({
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
  errorMessage: Shown.optional(),
  infoHash: Shown.optional(),
  followedBy: first(1, Shown).optional(),
});
export type ListedDownload = z.output<typeof ListedDownload>;
const Listed = first(MAX_LISTED, ListedDownload);

const File = z.object({ index: Count, path: Path, length: Count, completedLength: Count, selected: Flag });
export type File = z.output<typeof File>;
const Links = z.object({ uris: z.array(z.object({ uri: z.string() })) });

/** The first files, the number of all, and the links of all. */
function files(count: number) {
  return z.array(z.unknown()).transform((list, context) => {
    const listed = z.array(File).safeParse(list.slice(0, count));
    const links = z.array(Links).safeParse(list.slice(0, count));
    if (!listed.success || !links.success) {
      context.addIssue({ code: 'custom', message: 'no files' });
      return z.NEVER;
    }
    return { files: listed.data, fileCount: list.length, links: linksOf(links.data) };
  });
}

function linksOf(list: readonly z.output<typeof Links>[]): string[] {
  const links = new Set<string>();
  for (const { uris } of list)
    for (const { uri } of uris) {
      if (links.size >= MAX_LINKS) return [...links];
      if (uri.length <= MAX_LINK_LENGTH) links.add(uri);
    }
  return [...links];
}

const Peer = z.object({
  ip: Shown,
  port: Shown,
  bitfield: z
    .string()
    .regex(/^[0-9a-f]*$/i)
    .transform(bitsIn),
  downloadSpeed: Count,
  uploadSpeed: Count,
  seeder: Flag,
});
export type Peer = z.output<typeof Peer>;

function bitsIn(hexadecimal: string): number {
  let bits = 0;
  for (const digit of hexadecimal)
    bits += [0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4][Number.parseInt(digit, 16)]!;
  return bits;
}

const Server = z.object({
  currentUri: z.string().transform((text) => text.slice(0, MAX_LINK_LENGTH)),
  downloadSpeed: Count,
});
export type Server = z.output<typeof Server>;
const Servers = first(MAX_PEERS, z.object({ servers: first(MAX_PEERS, Server) })).transform((list) =>
  list.flatMap(({ servers }) => servers).slice(0, MAX_PEERS),
);

/** Which of them are there depends on the keys that were asked for. */
const Status = z.object({
  status: Shown.optional(),
  dir: Path.optional(),
  infoHash: Shown.optional(),
  numPieces: Count.optional(),
  files: files(MAX_LISTED_FILES).optional(),
  bittorrent: z.object({ info: z.object({ name: Shown }).optional() }).optional(),
});

const Ignored = z.unknown().transform(() => null);

/** What each method answers, as far as it is used: so much of it leaves the thread in which it is read. */
export const resultOf = {
  ...all(['tellActive', 'tellWaiting', 'tellStopped'], Listed),
  ...all(['tellStatus'], Status),
  getGlobalOption: GlobalOptions,
  getGlobalStat: GlobalStat,
  getFiles: files(1),
  getPeers: first(MAX_PEERS, Peer),
  getServers: Servers,
  getOption: z.object({ 'max-download-limit': Speed.default(0), 'max-upload-limit': Speed.default(0) }),
  ...all(['changeGlobalOption', 'changeOption', 'addUri', 'addTorrent', 'forcePause', 'unpause'], Ignored),
  ...all(['forceRemove', 'removeDownloadResult', 'forcePauseAll', 'unpauseAll', 'purgeDownloadResult'], Ignored),
} satisfies Record<Method, z.ZodType>;

function all<Name extends Method, Shape extends z.ZodType>(names: readonly Name[], shape: Shape): Record<Name, Shape> {
  return Object.fromEntries(names.map((name) => [name, shape])) as Record<Name, Shape>; // of exactly these names
}

export type ResultOf<Asked extends Method> = z.output<(typeof resultOf)[Asked]>;
