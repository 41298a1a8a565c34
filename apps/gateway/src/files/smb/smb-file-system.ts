import type { Duplex } from 'node:stream';
import type { SessionMemory } from '../../budget/session-memory.ts';
import { TargetError } from '../../session/live-session.ts';
import {
  type Attributes,
  dateOf,
  type Entry,
  FileError,
  type FileSystem,
  MAX_ENTRIES,
  type ReadRange,
  type RenameOptions,
  type WriteOptions,
} from '../file-system.ts';
import { readWindow } from '../transfer/read-window.ts';
import { writeWindow } from '../transfer/write-window.ts';
import type { NtlmLogin } from './auth/ntlm.ts';
import { listShares } from './list-shares.ts';
import { logIn } from './log-in.ts';
import { type Dialect, negotiate, type Negotiated } from './negotiate.ts';
import { readList, sizeOf } from './read-list.ts';
import { SmbConnection } from './smb-connection.ts';
import { smbError } from './smb-errors.ts';
import { ACCESS, ATTRIBUTE, DISPOSITION, type OpenFile, OPTION, SmbTree } from './smb-tree.ts';
import { epochMsOf, SmbProtocolError } from './wire/fields.ts';

/** What a part of a list takes, with its entries: each has at least 104 bytes in it, and 260 as an entry. */
const PART_IN_MEMORY = 4;

/** Of at most 1 MiB each. */
const IN_FLIGHT = 8;
/** Samba takes two of these sooner than one of the largest. */
const MAX_WRITE_BYTES = 512 * 1024;
/** Of a list: each has hundreds of entries, unless the server has few. */
const MAX_REPLIES = 10_000;
/** MS-FSCC §2.1.5.2; a colon would lead to another stream of a file. Dots and spaces at the end are cut by servers. */
const IMPOSSIBLE_IN_NAMES = /[\\:*?"<>|\p{Cc}]|[. ]$/u;

export type SmbTarget = NtlmLogin & {
  openStream: () => Duplex;
  memory: SessionMemory;
  host: string;
  startPath: string;
  dialects?: readonly Dialect[];
};

/** Logs in. The first folder has the shares in it. */
export async function openSmb(target: SmbTarget): Promise<FileSystem> {
  const connection = new SmbConnection(target.openStream());
  try {
    const negotiated = await negotiate(connection, target.dialects);
    await logIn(connection, negotiated, target);
    return new SmbFileSystem(connection, negotiated, target);
  } catch (error) {
    const failure = error instanceof TargetError ? error : new TargetError('protocol', { cause: error });
    connection.fail(failure);
    throw failure;
  }
}

type Place = { tree: SmbTree; path: string };

class SmbFileSystem implements FileSystem {
  readonly memory: SessionMemory;
  readonly startPath: string;
  readonly #connection: SmbConnection;
  readonly #negotiated: Negotiated;
  readonly #host: string;
  readonly #trees = new Map<string, Promise<SmbTree>>();

  constructor(connection: SmbConnection, negotiated: Negotiated, { startPath, host, memory }: SmbTarget) {
    this.memory = memory;
    this.#connection = connection;
    this.#negotiated = negotiated;
    this.#host = host;
    this.startPath = startPath || '/';
  }

  get isClosed(): boolean {
    return this.#connection.failure !== undefined;
  }

  close(): void {
    this.#connection.fail(new TargetError('lost'));
  }

  async *list(path: string): AsyncGenerator<Entry[]> {
    if (path === '/') yield await this.#listShares();
    else yield* this.#listFolder(path);
  }

  async *#listFolder(path: string): AsyncGenerator<Entry[]> {
    using _held = this.memory.hold(PART_IN_MEMORY * this.#negotiated.maxListBytes);
    const { tree, path: name } = await this.#placeOf(path);
    const folder = await this.#try(() => tree.open(name, { access: ACCESS.listFolder, options: OPTION.folder }));
    try {
      let found = 0;
      for (let replies = 0; ; replies++) {
        const entries = await this.#try(async () => {
          const part = await tree.listNext(folder, this.#negotiated.maxListBytes);
          return part && readList(part);
        });
        if (entries === undefined) return;
        found += entries.length;
        // A hostile server may also send `.` for ever.
        if (found > MAX_ENTRIES || replies > MAX_REPLIES) throw new FileError('too-many-entries');
        yield entries;
      }
    } finally {
      await tree.close(folder).catch(() => {}); // it has been read
    }
  }

  async #listShares(): Promise<Entry[]> {
    const names = await this.#try(() => listShares(this.#connection, this.#host));
    return names.map((name) => ({ name, type: 'folder', size: null, modifiedAt: null }));
  }

  async stat(path: string): Promise<Attributes> {
    if (path === '/') return { type: 'folder', size: null, modifiedAt: null };
    return await this.#withOpen(path, { access: ACCESS.attributes }, async (file) => attributesOf(file));
  }

  async statEntry(path: string): Promise<Attributes> {
    if (path === '/') return await this.stat(path);
    const options = { access: ACCESS.attributes, options: OPTION.linkItself };
    return await this.#withOpen(path, options, async (file) => attributesOf(file));
  }

  async *read(path: string, range: ReadRange): AsyncGenerator<Buffer> {
    const { tree, path: name } = await this.#placeOf(path);
    const chunkBytes = this.#negotiated.maxReadBytes;
    using held = this.memory.holdUpTo(Math.min(IN_FLIGHT * chunkBytes, range.end - range.start), chunkBytes);
    const file = await this.#try(() => tree.open(name, { access: ACCESS.readData, options: OPTION.noFolder }));
    try {
      yield* readWindow({
        ...range,
        chunkBytes,
        windowBytes: held.bytes,
        readAt: (position, length) => this.#try(() => tree.read(file, position, length)),
      });
    } finally {
      await tree.close(file).catch(() => {}); // it has been read
    }
  }

  async write(path: string, source: AsyncIterable<Uint8Array>, { start }: WriteOptions): Promise<number> {
    const disposition = start === 0 ? DISPOSITION.openOrCreate : DISPOSITION.open;
    const open = { access: ACCESS.readAndWrite, disposition, options: OPTION.noFolder };
    const chunkBytes = Math.min(this.#negotiated.maxWriteBytes, MAX_WRITE_BYTES);
    using held = this.memory.holdUpTo(IN_FLIGHT * this.#negotiated.maxWriteBytes, chunkBytes);
    return await this.#withOpen(path, open, async (file, { tree }) => {
      // Not by the disposition: Windows refuses it for hidden files.
      if (start === 0 && file.size > 0n) await tree.setSize(file, 0);
      return await writeWindow({
        source,
        start,
        chunkBytes,
        windowBytes: held.bytes,
        writeAt: (parts, position) => this.#try(() => tree.write(file, parts, position)),
      });
    });
  }

  /** After a lost connection the last requests may have been done in part: they are done again. */
  async resumeOffset(path: string, written: number | undefined): Promise<number> {
    const size = (await this.stat(path)).size ?? 0;
    return Math.min(size, written ?? Math.max(0, size - IN_FLIGHT * this.#negotiated.maxWriteBytes));
  }

  async rename(from: string, to: string, { overwrite }: RenameOptions): Promise<void> {
    const target = await this.#placeOf(to);
    if ((await this.#placeOf(from)).tree !== target.tree) throw new FileError('other-volume');
    const open = { access: ACCESS.rename, options: OPTION.linkItself };
    await this.#withOpen(from, open, async (file, { tree }) => await tree.rename(file, target.path, { overwrite }));
  }

  async deleteFile(path: string): Promise<void> {
    const open = { access: ACCESS.rename, options: OPTION.linkItself };
    await this.#withOpen(path, open, async (file, { tree }) => {
      if (attributesOf(file).type === 'folder') throw new FileError('not-a-file');
      await tree.deleteOnClose(file);
    });
  }

  async deleteFolder(path: string): Promise<void> {
    const open = { access: ACCESS.rename, options: OPTION.linkItself | OPTION.folder };
    await this.#withOpen(path, open, async (folder, { tree }) => await tree.deleteOnClose(folder));
  }

  async createFolder(path: string): Promise<void> {
    const open = { access: ACCESS.listFolder, disposition: DISPOSITION.create, options: OPTION.folder };
    await this.#withOpen(path, open, async () => {});
  }

  async freeBytes(path: string): Promise<number | null> {
    if (path === '/') return null;
    const open = { access: ACCESS.attributes };
    return await this.#withOpen(path, open, async (file, { tree }) => await tree.freeBytes(file));
  }

  async #withOpen<T>(
    path: string,
    options: Parameters<SmbTree['open']>[1],
    use: (file: OpenFile, place: Place) => Promise<T>,
  ): Promise<T> {
    const place = await this.#placeOf(path);
    return await this.#try(async () => {
      const file = await place.tree.open(place.path, options);
      try {
        return await use(file, place);
      } finally {
        await place.tree.close(file);
      }
    });
  }

  /** The share, and the path inside it as SMB writes it. */
  async #placeOf(path: string): Promise<Place> {
    const [share = '', ...names] = path.slice(1).split('/');
    if (share === '') throw new FileError('forbidden'); // there is nothing above the shares
    if ([share, ...names].some((name) => IMPOSSIBLE_IN_NAMES.test(name))) throw new FileError('name-not-possible');
    const key = share.toLowerCase();
    const tree = this.#trees.get(key) ?? this.#try(() => SmbTree.connect(this.#connection, this.#host, share));
    this.#trees.set(key, tree);
    try {
      return { tree: await tree, path: names.join('\\') };
    } catch (error) {
      this.#trees.delete(key);
      throw error;
    }
  }

  async #try<T>(run: () => Promise<T>): Promise<T> {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof RangeError || error instanceof SmbProtocolError)) throw smbError(error);
      // A reply that cannot be read: nothing more from this target can be trusted.
      const failure = new TargetError('protocol', { cause: error });
      this.#connection.fail(failure);
      throw failure;
    }
  }
}

function attributesOf({ attributes, size, lastWrite }: OpenFile): Attributes {
  const isFolder = (attributes & ATTRIBUTE.folder) !== 0;
  const isLink = (attributes & ATTRIBUTE.link) !== 0;
  return {
    type: isLink ? 'link' : isFolder ? 'folder' : 'file',
    size: sizeOf(size),
    modifiedAt: dateOf(epochMsOf(lastWrite)),
  };
}
