import type {
  ContentPut,
  FileList,
  LoginProblem,
  TargetLogin,
  FilesConnected,
  FileTransfer,
  TreeResult,
  TreeSummary,
} from '@tongtu/contract';
import { ApiError, readFailure } from '../../../api/index.ts';

/** What a login leads to. Anything else is thrown. */
export type ConnectResult =
  | { type: 'connected'; path: string }
  | { type: 'credentials'; wanted: readonly Wanted[] }
  | { type: 'refused' }
  | { type: 'key-unreadable' }
  | { type: 'host-key'; fingerprint: string }
  | { type: 'host-key-changed'; fingerprint: string; known: string };

export type Wanted = NonNullable<LoginProblem['wanted']>[number];
type Query = Record<string, string>;

/** The gateway's calls for the files of one session. All throw ApiError. */
export type FilesClient = {
  /** Changes with each session. */
  readonly id: number;
  /** The address of a call, for links and media. */
  url: (call: 'content' | 'zip' | 'uploads/', query?: Query) => string;
  connect: (body: TargetLogin) => Promise<ConnectResult>;
  list: (path: string, signal?: AbortSignal) => Promise<FileList>;
  treeSummary: (paths: readonly string[], signal?: AbortSignal) => Promise<TreeSummary>;
  createFolder: (path: string) => Promise<void>;
  move: (transfer: FileTransfer) => Promise<TreeResult>;
  copy: (transfer: FileTransfer) => Promise<TreeResult>;
  remove: (paths: readonly string[]) => Promise<TreeResult>;
  readContent: (path: string, signal?: AbortSignal) => Promise<Uint8Array<ArrayBuffer>>;
  /** The time of the file as the target has it after the write. */
  saveText: (path: string, text: string, ifModified: string) => Promise<ContentPut>;
};

/** `path` is that of the session. */
export function createFilesClient(
  { id, path }: { id: number; path: string },
  fetch: typeof window.fetch = window.fetch.bind(window),
): FilesClient {
  const url = (call: string, query: Query = {}) => {
    const search = new URLSearchParams(query).toString();
    return `${path}files/${call}${search === '' ? '' : `?${search}`}`;
  };

  async function send(call: string, query: Query, init: RequestInit): Promise<Response> {
    const headers = new Headers(init.headers);
    headers.set('accept-language', 'zh-CN');
    try {
      return await fetch(url(call, query), { ...init, headers });
    } catch (cause) {
      throw new ApiError({ type: init.signal?.aborted === true ? 'cancelled' : 'network' }, { cause });
    }
  }

  async function ask(call: string, query: Query, init: RequestInit = {}): Promise<Response> {
    const response = await send(call, query, init);
    if (!response.ok) throw new ApiError(await readFailure(response));
    return response;
  }

  const post = async (call: string, body: unknown) =>
    await send(
      call,
      {},
      {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      },
    );

  async function change<Result>(call: string, body: unknown): Promise<Result> {
    const response = await post(call, body);
    if (!response.ok) throw new ApiError(await readFailure(response));
    return await readJson<Result>(response);
  }

  return {
    id,
    url,
    async connect(body) {
      const response = await post('connect', body);
      if (response.ok) return { type: 'connected', path: (await readJson<FilesConnected>(response)).path };
      const copy = response.clone();
      const failure = await readFailure(response);
      const known = failure.type === 'problem' ? await readJson<LoginProblem>(copy) : undefined;
      const result = known && resultOf(known);
      if (!result) throw new ApiError(failure);
      return result;
    },
    list: async (folder, signal) => await readJson<FileList>(await ask('list', { path: folder }, withSignal(signal))),
    treeSummary: async (paths, signal) =>
      await readJson<TreeSummary>(await ask('tree_summary', { paths: JSON.stringify(paths) }, withSignal(signal))),
    createFolder: async (folder) => await change<void>('folder', { path: folder }),
    move: async (transfer) => await change<TreeResult>('move', transfer),
    copy: async (transfer) => await change<TreeResult>('copy', transfer),
    remove: async (paths) => await change<TreeResult>('delete', { paths }),
    async readContent(file, signal) {
      const response = await ask('content', { path: file }, withSignal(signal));
      try {
        return new Uint8Array(await response.arrayBuffer());
      } catch (cause) {
        throw new ApiError({ type: signal?.aborted === true ? 'cancelled' : 'network' }, { cause });
      }
    },
    async saveText(file, text, ifModified) {
      const query = { path: file, if_modified: ifModified };
      return await readJson<ContentPut>(await ask('content', query, { method: 'PUT', body: text }));
    },
  };
}

function withSignal(signal: AbortSignal | undefined): RequestInit {
  return signal ? { signal } : {};
}

async function readJson<Result>(response: Response): Promise<Result> {
  return (await response.json()) as Result; // the gateway answers by the contract
}

function resultOf({ code, wanted, fingerprint = '', known_fingerprint: known = '' }: LoginProblem) {
  switch (code) {
    case 'login.credentials-required':
      return { type: 'credentials', wanted: wanted ?? [] } as const;
    case 'target.login-failed':
      return { type: 'refused' } as const;
    case 'target.key-unreadable':
      return { type: 'key-unreadable' } as const;
    case 'login.host-key-unknown':
      return { type: 'host-key', fingerprint } as const;
    case 'target.host-key-changed':
      return { type: 'host-key-changed', fingerprint, known } as const;
    default:
      return undefined;
  }
}
