import type { CloudApp, ContentPut, FileList, FileTransfer, TreeResult, TreeSummary } from '@tongtu/contract';
import { ApiError } from '../../../api/index.ts';
import { FileNames } from './file-names.ts';
import type { ListedEntry } from './listed-entry.ts';
import { createTargetCalls, readJson, type TargetCalls, withSignal } from '../connecting/target-calls.ts';

type Query = Record<string, string>;

type ListedFolder = Omit<FileList, 'entries'> & { entries: ListedEntry[] };

/** The gateway's calls for the files of one session. All throw ApiError. */
export type FilesClient = Pick<TargetCalls, 'connect'> & {
  /** Changes with each session. */
  readonly id: number;
  readonly names: FileNames;
  /** The address of a call, for links and media. */
  url: (call: 'content' | 'zip' | 'uploads/', query?: Query) => string;
  list: (path: string, signal?: AbortSignal) => Promise<ListedFolder>;
  treeSummary: (paths: readonly string[], signal?: AbortSignal) => Promise<TreeSummary>;
  createFolder: (path: string) => Promise<void>;
  move: (transfer: FileTransfer) => Promise<TreeResult>;
  copy: (transfer: FileTransfer) => Promise<TreeResult>;
  remove: (paths: readonly string[]) => Promise<TreeResult>;
  readContent: (path: string, signal?: AbortSignal) => Promise<Uint8Array<ArrayBuffer>>;
  /** The time of the file as the target has it after the write. */
  saveContent: (path: string, content: Uint8Array<ArrayBuffer>, ifModified: string) => Promise<ContentPut>;
};

/** `path` is that of the session. */
export function createFilesClient(
  { id, path, app }: { id: number; path: string; app?: Pick<CloudApp, 'options'> },
  fetch: typeof window.fetch = window.fetch.bind(window),
): FilesClient {
  const names = new FileNames(app?.options.name_encoding ?? 'auto');
  const calls = createTargetCalls(`${path}files/`, fetch);
  return {
    id,
    names,
    url: calls.url,
    connect: calls.connect,
    async list(folder, signal) {
      const list = await readJson<FileList>(await calls.ask('list', { path: folder }, withSignal(signal)));
      names.note(folder, list.entries);
      return { ...list, entries: names.withTexts(folder, list.entries) };
    },
    treeSummary: async (paths, signal) =>
      await readJson<TreeSummary>(
        await calls.ask('tree_summary', { paths: JSON.stringify(paths) }, withSignal(signal)),
      ),
    createFolder: async (folder) => await calls.post<void>('folder', { path: folder }),
    move: async (transfer) => await calls.post<TreeResult>('move', transfer),
    copy: async (transfer) => await calls.post<TreeResult>('copy', transfer),
    remove: async (paths) => await calls.post<TreeResult>('delete', { paths }),
    async readContent(file, signal) {
      const response = await calls.ask('content', { path: file }, withSignal(signal));
      try {
        return new Uint8Array(await response.arrayBuffer());
      } catch (cause) {
        throw new ApiError({ type: signal?.aborted === true ? 'cancelled' : 'network' }, { cause });
      }
    },
    async saveContent(file, body, ifModified) {
      const query = { path: file, if_modified: ifModified };
      return await readJson<ContentPut>(await calls.ask('content', query, { method: 'PUT', body }));
    },
  };
}
