import type { SessionMemory } from '../../budget/session-memory.ts';
import { TargetError } from '../../session/live-session.ts';
import {
  type Attributes,
  type Entry,
  FileError,
  type FileSystem,
  isFileError,
  parentPath,
  type ReadRange,
  type RenameOptions,
  type WriteOptions,
} from '../file-system.ts';
import { findStartPath } from '../start-path.ts';
import { answerBody } from './answer-body.ts';
import { OpenPut } from './open-put.ts';
import { webdavError } from './webdav-errors.ts';
import { WebdavRequests, type WebdavTarget } from './webdav-requests.ts';

/** A login that was good a moment ago is still. */
const LOGIN_LASTS_MS = 5_000;

/** Asks for the first folder, which logs in: a login in the middle of an upload would lose its content. */
export async function openWebdav(target: WebdavTarget): Promise<FileSystem> {
  const requests = new WebdavRequests(target);
  const { options } = target.session.facts;
  const { path } = options;
  try {
    const find = async (path: string): Promise<unknown> =>
      await requests.find(requests.urlOf(path, { isFolder: true }));
    const startPath = path && (await findStartPath(find, options));
    await find(startPath || '/');
    return new WebdavFileSystem(requests, startPath || '/');
  } catch (error) {
    requests.destroy();
    // A server that knows no PROPFIND is not one for files.
    throw isFileError(error, 'not-supported') ? new TargetError('protocol', { cause: error }) : error;
  }
}

class WebdavFileSystem implements FileSystem {
  readonly memory: SessionMemory;
  readonly startPath: string;
  isClosed = false;
  readonly #requests: WebdavRequests;
  readonly #openPuts = new Map<string, OpenPut>();

  constructor(requests: WebdavRequests, startPath: string) {
    this.memory = requests.memory;
    this.#requests = requests;
    this.startPath = startPath;
  }

  close(): void {
    this.isClosed = true;
    for (const put of this.#openPuts.values()) put.drop();
    this.#requests.destroy();
  }

  async *list(path: string): AsyncGenerator<Entry[]> {
    try {
      const folder = yield* this.#requests.list(this.#folderUrl(path));
      if (folder?.type !== 'folder') throw new FileError('not-a-folder');
    } catch (error) {
      // Servers have several answers to a file's name with a slash behind it.
      if (error instanceof FileError && error.code !== 'not-a-folder' && (await this.stat(path)).type !== 'folder')
        throw new FileError('not-a-folder', { cause: error });
      throw error;
    }
  }

  async stat(path: string): Promise<Attributes> {
    const found = await this.#requests.find(this.#requests.urlOf(path));
    if (found === undefined) throw new FileError('not-found');
    const { freeBytes: _, ...attributes } = found;
    return attributes;
  }

  async statEntry(path: string): Promise<Attributes> {
    return await this.stat(path);
  }

  async *read(path: string, { start, end }: ReadRange): AsyncGenerator<Buffer> {
    if (end <= start) return;
    const headers = { range: `bytes=${start}-${end - 1}` };
    const { status, body } = await this.#requests.send('GET', this.#requests.urlOf(path), { headers });
    if (body === null) throw new FileError('failed');
    try {
      if (status !== 206 && start > 0) throw new FileError('not-supported');
      let left = end - start;
      for await (const chunk of answerBody(body)) {
        yield chunk.subarray(0, left);
        left -= Math.min(left, chunk.length);
        if (left === 0) return;
      }
      throw new FileError('changed'); // the file got shorter
    } catch (error) {
      throw webdavError(error, undefined);
    } finally {
      body.destroy();
    }
  }

  async write(path: string, source: AsyncIterable<Uint8Array>, { start, total }: WriteOptions): Promise<number> {
    const put = start === 0 ? await this.#startPut(path, total) : this.#openPuts.get(path);
    if (put?.offset !== start || put.isEnded) throw new FileError('changed');
    await put.add(source);
    if (total !== undefined && put.offset < total) return put.offset;
    this.#openPuts.delete(path);
    await put.finish();
    // A server that asks for a new login in this moment has read the content, but not kept it.
    if ((await this.stat(path)).size !== put.offset) throw new FileError('failed');
    return put.offset;
  }

  async #startPut(path: string, total: number | undefined): Promise<OpenPut> {
    this.#openPuts.get(path)?.drop();
    // Renews the login, see `write`.
    if (!this.#requests.hasAnsweredWithin(LOGIN_LASTS_MS)) await this.#requests.find(this.#folderUrl(parentPath(path)));
    const put = new OpenPut(this.#requests, this.#requests.urlOf(path), total);
    this.#openPuts.set(path, put);
    return put;
  }

  async resumeOffset(path: string): Promise<number> {
    const put = this.#openPuts.get(path);
    return put === undefined || put.isEnded ? 0 : put.offset;
  }

  /** Between two volumes a server copies first, which it may do for hours. */
  async rename(from: string, to: string, { overwrite, signal, isNew }: RenameOptions): Promise<void> {
    const isFolder = isNew !== true && (await this.stat(from)).type === 'folder';
    const destination = this.#requests.urlOf(to, { isFolder });
    const headers = { destination, overwrite: overwrite ? 'T' : 'F' };
    await this.#requests.run('MOVE', this.#requests.urlOf(from, { isFolder }), { headers, signal });
  }

  async copyFile(from: string, to: string, signal: AbortSignal): Promise<void> {
    const headers = { destination: this.#requests.urlOf(to), overwrite: 'T' };
    await this.#requests.run('COPY', this.#requests.urlOf(from), { headers, signal });
  }

  async deleteFile(path: string): Promise<void> {
    const unfinished = this.#openPuts.get(path);
    this.#openPuts.delete(path);
    unfinished?.drop();
    await this.#requests.run('DELETE', this.#requests.urlOf(path)).catch((error: unknown) => {
      // The server has nothing yet of what was still on its way.
      if (unfinished === undefined || !isFileError(error, 'not-found')) throw error;
    });
  }

  /** Looks first: a server would delete all of the content. */
  async deleteFolder(path: string): Promise<void> {
    for await (const { length } of this.list(path)) if (length > 0) throw new FileError('not-empty');
    await this.#requests.run('DELETE', this.#folderUrl(path));
  }

  async createFolder(path: string): Promise<void> {
    await this.#requests.run('MKCOL', this.#folderUrl(path)).catch((error: unknown) => {
      throw isFileError(error, 'not-supported') ? new FileError('exists', { cause: error }) : error; // RFC 4918 §9.3.1
    });
  }

  async freeBytes(path: string): Promise<number | null> {
    const folder = await this.#requests
      .find(this.#folderUrl(path), '<quota-available-bytes/>')
      .catch((error: unknown) => {
        if (!(error instanceof FileError)) throw error;
        return undefined; // not every server has it
      });
    return folder?.freeBytes ?? null;
  }

  #folderUrl(path: string): string {
    return this.#requests.urlOf(path, { isFolder: true });
  }
}
