import type { Duplex } from 'node:stream';
import { MAX_FILE_PATH_LENGTH } from '@tongtu/contract';
import type { FileEntryWithStats, SFTPWrapper, Stats } from 'ssh2';
import { z } from 'zod';
import type { HeldMemory, SessionMemory } from '../../budget/session-memory.ts';
import { TargetError } from '../../session/live-session.ts';
import type { SshConnection } from '../../ssh/connect-ssh.ts';
import {
  type Attributes,
  childPath,
  dateOf,
  type Entry,
  type EntryType,
  FileError,
  type FileSystem,
  isFileError,
  MAX_ENTRIES,
  type ReadRange,
  type RenameOptions,
  shownName,
  sizeInMemory,
  type WriteOptions,
} from '../file-system.ts';
import { findStartPath } from '../start-path.ts';
import { readWindow } from '../transfer/read-window.ts';
import { writeWindow } from '../transfer/write-window.ts';
import { connectSftp, type SftpTarget } from './connect-sftp.ts';
import { PendingAnswers } from './pending-answers.ts';
import { isEndOfList, isGeneralFailure, sftpError } from './sftp-errors.ts';

/** On their way at a time: as much as ssh2's window. */
const WINDOW_BYTES = 2 * 1024 * 1024;
/** Each request and each packet has its price, but more than this at once saves nothing. */
const MAX_CHUNK_BYTES = 255 * 1024;
const MIN_CHUNK_BYTES = 16 * 1024;
/** Each reply has about 100 names. */
const LISTS_IN_FLIGHT = 8;
const LINKS_IN_FLIGHT = 64;
/** Of a copy inside the target. It does nothing else meanwhile. */
const COPY_BYTES = 64 * 1024 * 1024;
/** A disk that has to wake up first takes some seconds. */
const ANSWER_TIMEOUT_MS = 60_000;
/** A write that failed for no other known reason, with less space than this, failed for lack of space. */
const FULL_BELOW_BYTES = 1024 * 1024;

const VolumeStatistics = z.object({ f_bavail: z.coerce.number(), f_frsize: z.coerce.number() });

type Callback<T> = (error: Error | null | undefined, result: T) => void;
type Handle = Buffer;

/** `answerTimeoutMs`: of a target from which nothing comes, though it is asked. */
export async function openSftp(target: SftpTarget, { answerTimeoutMs = ANSWER_TIMEOUT_MS } = {}): Promise<FileSystem> {
  const { client, stream } = await connectSftp(target);
  const answers = new PendingAnswers(answerTimeoutMs, () => stream.destroy());
  try {
    const sftp = await answers.await(promiseOf<SFTPWrapper>((done) => client.sftp(done)));
    const startPath =
      target.session.facts.options.path || (await answers.await(promiseOf<string>((done) => sftp.realpath('.', done))));
    if (startPath.length > MAX_FILE_PATH_LENGTH) throw new FileError('name-not-possible');
    const memory = target.session.memory;
    const fileSystem = new SftpFileSystem({ client, stream }, sftp, { startPath, memory }, answers);
    const { options } = target.session.facts;
    if (options.path) fileSystem.startPath = await findStartPath((path) => fileSystem.stat(path), options);
    return fileSystem;
  } catch (error) {
    const hasNoFiles = !stream.destroyed && !(error instanceof TargetError && error.code === 'timed-out');
    stream.destroy();
    throw hasNoFiles ? new TargetError('protocol', { cause: error }) : error;
  }
}

async function promiseOf<T>(run: (done: Callback<T>) => void): Promise<T> {
  return await new Promise<T>((resolve, reject) => {
    run((error, result) => (error ? reject(sftpError(error)) : resolve(result)));
  });
}

class SftpFileSystem implements FileSystem {
  readonly memory: SessionMemory;
  startPath: string;
  isClosed = false;
  readonly #stream: Duplex;
  readonly #sftp: SFTPWrapper;
  readonly #answers: PendingAnswers;

  constructor(
    { client, stream }: SshConnection,
    sftp: SFTPWrapper,
    { startPath, memory }: Pick<FileSystem, 'startPath' | 'memory'>,
    answers: PendingAnswers,
  ) {
    this.memory = memory;
    this.#stream = stream;
    this.#sftp = sftp;
    this.#answers = answers;
    this.startPath = startPath;
    const close = (): void => this.close();
    client.on('end', close).on('close', close).on('error', close);
    sftp.on('close', close).on('error', close);
  }

  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.#stream.destroy(); // the client's own way does nothing once the target has ended its direction
  }

  async *list(path: string, { withLinkTargets }: { withLinkTargets: boolean }): AsyncGenerator<Entry[]> {
    const handle = await this.#call<Handle>((done) => this.#sftp.opendir(path, done)).catch(async (error) => {
      if (isFileError(error, 'not-found') && (await this.stat(path)).type !== 'folder')
        throw new FileError('not-a-folder', { cause: error });
      throw error;
    });
    try {
      for await (const entries of this.#readFolder(handle)) {
        if (withLinkTargets) await this.#findLinkTargets(path, entries);
        yield entries;
      }
    } finally {
      await this.#closeHandle(handle);
    }
  }

  /** Several requests at a time: a server answers them in their order, and at the end says so to each. */
  async *#readFolder(handle: Handle): AsyncGenerator<Entry[]> {
    using held = this.memory.hold(0);
    const asked: Promise<HeldEntries | null>[] = [];
    const ask = (): void => {
      const part = this.#call<FileEntryWithStats[] | null>((done) =>
        this.#sftp.readdir(handle, (error, list) => (isEndOfList(error) ? done(null, null) : done(error, list))),
      ).then((list) => list && holdEntries(list, held));
      part.catch(() => {}); // thrown when it is its turn, if it comes to that
      asked.push(part);
    };
    for (let count = 0; count < LISTS_IN_FLIGHT; count++) ask();
    let found = 0;
    for (let replies = 1; ; replies++) {
      const part = await asked.shift();
      if (part === undefined || part === null) break;
      found += part.entries.length;
      // A hostile server may also send empty replies for ever.
      if (found > MAX_ENTRIES || replies > MAX_ENTRIES) throw new FileError('too-many-entries');
      ask();
      yield part.entries;
      held.resize(held.bytes - part.bytes);
    }
    // Those behind the end: a server that says more than that is not believed.
    await Promise.all(asked);
  }

  /** A link that leads nowhere, or in a circle, has none. */
  async #findLinkTargets(folder: string, entries: readonly Entry[]): Promise<void> {
    const links = entries.filter(({ type }) => type === 'link').values();
    const resolve = async (): Promise<void> => {
      for (const link of links) {
        const target = await this.stat(childPath(folder, link.name)).catch(() => undefined);
        if (target !== undefined && target.type !== 'link') link.linkTarget = target.type;
      }
    };
    await Promise.all(Array.from({ length: LINKS_IN_FLIGHT }, resolve));
  }

  async stat(path: string): Promise<Attributes> {
    return attributesOf(await this.#call<Stats>((done) => this.#sftp.stat(path, done)));
  }

  async statEntry(path: string): Promise<Attributes> {
    return attributesOf(await this.#call<Stats>((done) => this.#sftp.lstat(path, done)));
  }

  async *read(path: string, range: ReadRange): AsyncGenerator<Buffer> {
    const chunkBytes = this.#chunkBytes('_maxReadLen');
    using held = this.memory.holdUpTo(Math.min(WINDOW_BYTES, range.end - range.start), chunkBytes);
    const handle = await this.#open(path, 'r');
    try {
      yield* readWindow({
        ...range,
        chunkBytes,
        windowBytes: held.bytes,
        readAt: (position, length) =>
          this.#call<Buffer>((done) =>
            this.#sftp.read(handle, Buffer.allocUnsafeSlow(length), 0, length, position, (error, count, buffer) =>
              done(error, buffer?.subarray(0, count)),
            ),
          ),
      });
    } finally {
      await this.#closeHandle(handle);
    }
  }

  async write(path: string, source: AsyncIterable<Uint8Array>, { start }: WriteOptions): Promise<number> {
    const chunkBytes = this.#chunkBytes('_maxWriteLen');
    using held = this.memory.holdUpTo(WINDOW_BYTES, chunkBytes);
    const handle = await this.#open(path, start === 0 ? 'w' : 'r+');
    try {
      return await writeWindow({
        source,
        start,
        chunkBytes,
        windowBytes: held.bytes,
        writeAt: async (parts, position) => {
          const chunk = Buffer.concat(parts);
          await this.#call<void>((done) =>
            this.#sftp.write(handle, chunk, 0, chunk.length, position, (error) => done(error, undefined)),
          );
        },
      });
    } catch (error) {
      if (isGeneralFailure(error) && (await this.#isFull(path))) throw new FileError('disk-full', { cause: error });
      throw error;
    } finally {
      await this.#closeHandle(handle);
    }
  }

  /** After a lost connection the last requests may have been done in part: they are done again. */
  async resumeOffset(path: string, written: number | undefined): Promise<number> {
    const { size } = await this.stat(path);
    return Math.min(size ?? 0, written ?? Math.max(0, (size ?? 0) - WINDOW_BYTES));
  }

  async rename(from: string, to: string, { overwrite, isNew }: RenameOptions): Promise<void> {
    if (!overwrite && isNew !== true && (await this.#exists(to))) throw new FileError('exists');
    try {
      if (overwrite) await this.#renameOver(from, to);
      else await this.#call<void>((done) => this.#sftp.rename(from, to, (error) => done(error, undefined)));
    } catch (error) {
      if (!isGeneralFailure(error)) throw error;
      // It may have been created in this moment; otherwise a rename fails like this between two volumes.
      throw new FileError(!overwrite && (await this.#exists(to)) ? 'exists' : 'other-volume', { cause: error });
    }
  }

  async #renameOver(from: string, to: string): Promise<void> {
    try {
      await this.#call<void>((done) => this.#sftp.ext_openssh_rename(from, to, (error) => done(error, undefined)));
    } catch (error) {
      if (!isFileError(error, 'not-supported')) throw error;
      if (await this.#exists(to)) await this.deleteFile(to);
      await this.#call<void>((done) => this.#sftp.rename(from, to, (failure) => done(failure, undefined)));
    }
  }

  /** By the extension `copy-data`, which OpenSSH has since 9.0. */
  async copyFile(from: string, to: string, signal: AbortSignal): Promise<void> {
    const source = await this.#open(from, 'r');
    try {
      const { size } = await this.stat(from);
      const result = await this.#open(to, 'w');
      try {
        for (let position = 0; position < (size ?? 0); position += COPY_BYTES) {
          signal.throwIfAborted();
          const length = Math.min(COPY_BYTES, (size ?? 0) - position);
          await this.#call<void>((done) =>
            this.#sftp.ext_copy_data(source, position, length, result, position, (error) => done(error, undefined)),
          );
        }
      } finally {
        await this.#closeHandle(result);
      }
    } catch (error) {
      if (isGeneralFailure(error) && (await this.#isFull(to))) throw new FileError('disk-full', { cause: error });
      throw error;
    } finally {
      await this.#closeHandle(source);
    }
  }

  async deleteFile(path: string): Promise<void> {
    await this.#call<void>((done) => this.#sftp.unlink(path, (error) => done(error, undefined)));
  }

  async deleteFolder(path: string): Promise<void> {
    try {
      await this.#call<void>((done) => this.#sftp.rmdir(path, (error) => done(error, undefined)));
    } catch (error) {
      if (!isGeneralFailure(error)) throw error;
      for await (const { length } of this.list(path, { withLinkTargets: false }))
        if (length > 0) throw new FileError('not-empty', { cause: error });
      throw error;
    }
  }

  async createFolder(path: string): Promise<void> {
    try {
      await this.#call<void>((done) => this.#sftp.mkdir(path, (error) => done(error, undefined)));
    } catch (error) {
      throw isGeneralFailure(error) && (await this.#exists(path)) ? new FileError('exists', { cause: error }) : error;
    }
  }

  async freeBytes(path: string): Promise<number | null> {
    try {
      const reply = await this.#call<unknown>((done) => this.#sftp.ext_openssh_statvfs(path, done));
      const { f_bavail: blocks, f_frsize: blockBytes } = VolumeStatistics.parse(reply);
      return blocks * blockBytes;
    } catch (error) {
      if (error instanceof TargetError) throw error;
      return null; // an extension that servers may lack
    }
  }

  async #isFull(path: string): Promise<boolean> {
    const free = await this.freeBytes(path);
    return free !== null && free < FULL_BELOW_BYTES;
  }

  async #exists(path: string): Promise<boolean> {
    return await this.statEntry(path).then(
      () => true,
      (error: unknown) => {
        if (isFileError(error, 'not-found')) return false;
        throw error;
      },
    );
  }

  /**
   * What the server takes in one request, by its name or its own word (`limits@openssh.com`). ssh2 keeps it to itself, and
   * sends the rest of a longer request only after the first answer.
   */
  #chunkBytes(limit: '_maxReadLen' | '_maxWriteLen'): number {
    const { [limit]: bytes } = this.#sftp as unknown as Partial<Record<typeof limit, number>>;
    return Math.min(MAX_CHUNK_BYTES, Math.max(MIN_CHUNK_BYTES, bytes ?? MIN_CHUNK_BYTES));
  }

  async #open(path: string, mode: 'r' | 'r+' | 'w'): Promise<Handle> {
    return await this.#call<Handle>((done) => this.#sftp.open(path, mode, done));
  }

  /** Whether it worked matters to nobody: what was written has been acknowledged before. */
  async #closeHandle(handle: Handle): Promise<void> {
    await this.#call<void>((done) => this.#sftp.close(handle, (error) => done(error, undefined))).catch(() => {});
  }

  async #call<T>(run: (done: Callback<T>) => void): Promise<T> {
    if (this.isClosed) throw new TargetError('lost'); // ssh2 would wait for ever
    const answer = promiseOf<T>((done) => {
      try {
        run(done);
      } catch (error) {
        // ssh2 throws when the server lacks an extension.
        done(Object.assign(new Error('not supported', { cause: error }), { code: 8 }), undefined as T); // no result is read
      }
    });
    return await this.#answers.await(answer);
  }
}

type HeldEntries = { entries: Entry[]; bytes: number };

/** Of a reply that waits for its turn. It has up to 20 000 entries, of 12 bytes each. */
function holdEntries(list: readonly FileEntryWithStats[], held: HeldMemory): HeldEntries {
  const entries = list.map(entryOf);
  const bytes = entries.reduce((sum, entry) => sum + sizeInMemory(entry), 0);
  held.grow(bytes);
  return { entries, bytes };
}

function entryOf({ filename, attrs }: FileEntryWithStats): Entry {
  return { name: shownName(filename), ...attributesOf(attrs) };
}

function attributesOf(stats: Stats): Attributes {
  return {
    type: typeOf(stats),
    size: Number.isSafeInteger(stats.size) ? stats.size : null,
    modifiedAt: Number.isSafeInteger(stats.mtime) ? dateOf(stats.mtime * 1000) : null,
  };
}

/** A server may leave the mode out. */
function typeOf(stats: Stats): EntryType {
  if (!Number.isSafeInteger(stats.mode)) return 'other';
  if (stats.isSymbolicLink()) return 'link';
  if (stats.isDirectory()) return 'folder';
  return stats.isFile() ? 'file' : 'other';
}
