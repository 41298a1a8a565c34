import type { Readable } from 'node:stream';
import { AppError } from '@tongtu/contract';
import { DataStore, ERRORS, Upload } from '@tus/server';
import { type Attributes, FileError, type FileSystem, isFileError, parentPath } from '../file-system.ts';
import type { OpenFiles } from '../open/open-files.ts';
import { TargetError } from '../../session/live-session.ts';
import { exists } from '../tree/copy-tree.ts';
import { requestBody } from './request-body.ts';
import { partOf, readUploadId, type UploadFacts } from './upload-id.ts';

/** An upload that nothing has come for in this time no longer keeps others from its name. */
const ABANDONED_AFTER_MS = 10 * 60_000;
const MAX_REMEMBERED = 10_000;
/** A file of at most this size that comes in one request is not checked for more than its name before. */
const SMALL_BYTES = 256 * 1024;
/** How long after a file is there the same one again is no second upload but an answer that was lost. */
const ANSWER_LOST_WITHIN_MS = 2 * 60_000;

/** The files that are being written now, by any session: two writers of one part would mix. */
const writing = new Set<string>();

type Progress = { path: string; written: number | undefined; isRunning: boolean; lastUseMs: number };

/** Uploads into the target: each is written to a part file, which gets its name when it is whole. */
export class UploadStore extends DataStore {
  override readonly extensions = ['creation', 'creation-with-upload', 'termination'];
  readonly #files: OpenFiles;
  readonly #progress = new Map<string, Progress>();
  /** When they did. Their answer may have been lost, and then the browser asks again. */
  readonly #finished = new Map<string, number>();

  constructor(files: OpenFiles) {
    super();
    this.#files = files;
  }

  override async create(upload: Upload): Promise<Upload> {
    const facts = factsOf(upload.id);
    const fileSystem = await this.#files.fileSystem();
    const target = await this.#targetOf(fileSystem, facts);
    if (target !== undefined && this.#wasJustFinished(upload.id, facts, target)) return upload;
    this.#finished.delete(upload.id);
    this.#reserve(upload.id, facts);
    try {
      await this.#checkTarget(fileSystem, facts, target);
      if (facts.size === 0) await this.#writeEmpty(fileSystem, upload.id, facts);
    } catch (error) {
      this.#progress.delete(upload.id);
      throw error;
    }
    return upload;
  }

  async #targetOf(fileSystem: FileSystem, { path }: UploadFacts): Promise<Attributes | undefined> {
    return await fileSystem.statEntry(path).catch((error: unknown) => {
      if (!isFileError(error, 'not-found')) throw error;
      return undefined;
    });
  }

  #wasJustFinished(id: string, { size, overwrite }: UploadFacts, target: Attributes): boolean {
    const finishedAtMs = this.#finished.get(id);
    if (finishedAtMs === undefined || overwrite === '1' || target.size !== size) return false;
    return performance.now() - finishedAtMs < ANSWER_LOST_WITHIN_MS;
  }

  /** Before any byte is sent in vain. */
  async #checkTarget(
    fileSystem: FileSystem,
    { path, size, overwrite }: UploadFacts,
    target: Attributes | undefined,
  ): Promise<void> {
    if (target !== undefined && (overwrite === '0' || target.type === 'folder')) throw new FileError('exists');
    if (comesWhole(size)) return;
    const free = await fileSystem.freeBytes(parentPath(path));
    if (free !== null && free < size) throw new FileError('disk-full');
  }

  async #writeEmpty(fileSystem: FileSystem, id: string, facts: UploadFacts): Promise<void> {
    await fileSystem.write(partOf(facts), nothing(), { start: 0, total: 0 });
    await this.#finish(fileSystem, id, facts);
  }

  override async getUpload(id: string): Promise<Upload> {
    const facts = factsOf(id);
    return new Upload({ id, size: facts.size, offset: await this.#offsetOf(id, facts) });
  }

  async #offsetOf(id: string, facts: UploadFacts): Promise<number> {
    if (this.#finished.has(id)) return facts.size;
    const fileSystem = await this.#files.fileSystem();
    const part = partOf(facts);
    const offset = await fileSystem.resumeOffset(part, this.#progress.get(id)?.written).catch((error: unknown) => {
      if (isFileError(error, 'not-found')) return 0;
      throw error;
    });
    // It is whole but for its name: the connection was lost in that moment.
    if (offset === facts.size && (await exists(fileSystem, part))) await this.#finish(fileSystem, id, facts);
    return Math.min(offset, facts.size);
  }

  override async write(stream: Readable, id: string, offset: number): Promise<number> {
    const facts = factsOf(id);
    const body = requestBody.getStore();
    if (body === undefined) throw new Error('a write without a request');
    if (this.#finished.has(id)) {
      for await (const _again of body.read(stream, facts.size - offset));
      return facts.size;
    }
    const fileSystem = await this.#files.fileSystem();
    const progress = this.#reserve(id, facts);
    const place = `${this.#files.session.facts.appId} ${facts.path}`;
    if (writing.has(place)) throw new FileError('being-uploaded');
    writing.add(place);
    const counted = countedSource(body.read(stream, facts.size - offset), () => this.#files.session.touch());
    progress.isRunning = true;
    try {
      const end = await fileSystem.write(partOf(facts), counted.source, { start: offset, total: facts.size });
      progress.written = end;
      if (end === facts.size) await this.#finish(fileSystem, id, facts);
      return end;
    } catch (error) {
      // When the browser's connection is cut, all that it had sent has been written.
      progress.written = counted.hasFailed() ? offset + counted.bytes() : undefined;
      // What has come is not the file that was announced, or is sent anew.
      const isUseless = error === ERRORS.ERR_SIZE_EXCEEDED || comesWhole(facts.size);
      if (isUseless || (error instanceof FileError && !counted.hasFailed())) await this.#discard(fileSystem, id, facts);
      throw error;
    } finally {
      writing.delete(place);
      progress.isRunning = false;
      progress.lastUseMs = performance.now();
    }
  }

  async #finish(fileSystem: FileSystem, id: string, facts: UploadFacts): Promise<void> {
    const isNew = comesWhole(facts.size); // `create` has looked in this very request
    await fileSystem.rename(partOf(facts), facts.path, { overwrite: facts.overwrite === '1', isNew });
    this.#progress.delete(id);
    this.#finished.set(id, performance.now());
    const [oldest] = this.#finished.keys();
    if (oldest !== undefined && this.#finished.size > MAX_REMEMBERED) this.#finished.delete(oldest);
  }

  override async remove(id: string): Promise<void> {
    if (this.#finished.has(id)) return;
    await this.#discard(await this.#files.fileSystem(), id, factsOf(id));
  }

  /** Nothing half-written stays behind an upload that has failed. */
  async #discard(fileSystem: FileSystem, id: string, facts: UploadFacts): Promise<void> {
    this.#progress.delete(id);
    await fileSystem.deleteFile(partOf(facts)).catch((error: unknown) => {
      if (error instanceof TargetError) throw error;
      if (!isFileError(error, 'not-found')) throw new FileError('part-left', { cause: error });
    });
  }

  /** One upload at a time may have a name. */
  #reserve(id: string, { path }: UploadFacts): Progress {
    const now = performance.now();
    for (const [otherId, other] of this.#progress) {
      if (otherId === id || other.path !== path) continue;
      if (other.isRunning || now - other.lastUseMs < ABANDONED_AFTER_MS) throw new FileError('being-uploaded');
      this.#progress.delete(otherId);
    }
    const progress = this.#progress.get(id) ?? { path, written: undefined, isRunning: false, lastUseMs: now };
    if (this.#progress.size >= MAX_REMEMBERED && !this.#progress.has(id)) throw new AppError('request.too-many');
    this.#progress.set(id, progress);
    return progress;
  }
}

/** The request being answered creates a small upload and has all of it. */
function comesWhole(size: number): boolean {
  return size <= SMALL_BYTES && requestBody.getStore()?.isCreation === true;
}

function factsOf(id: string): UploadFacts {
  const facts = readUploadId(id);
  if (facts === undefined) throw ERRORS.FILE_NOT_FOUND;
  return facts;
}

/** Counts what a source has given, and whether the source itself has failed. */
function countedSource(stream: AsyncIterable<Uint8Array>, onChunk: () => void) {
  let bytes = 0;
  let hasFailed = false;
  async function* source(): AsyncGenerator<Uint8Array> {
    const chunks = stream[Symbol.asyncIterator]();
    try {
      for (;;) {
        const next = await chunks.next().catch((error: unknown) => {
          hasFailed = true;
          throw error;
        });
        if (next.done === true) return;
        bytes += next.value.length;
        onChunk();
        yield next.value;
      }
    } finally {
      await chunks.return?.();
    }
  }
  return { source: source(), bytes: () => bytes, hasFailed: () => hasFailed };
}

async function* nothing(): AsyncGenerator<Uint8Array> {}
