import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FileList, LoginProblem } from '@tongtu/contract';
import type { z } from 'zod';
import { handleFiles } from '../http/handle-files.ts';
import type { TestSession } from '../../testing/test-session.ts';

const PREFIX = '/apps/1/files/';

/** The calls of the file manager over HTTP, as the browser makes them. */
export type FilesClient = AsyncDisposable & {
  url(path: string, query?: Record<string, string>): string;
  get(path: string, query?: Record<string, string>, headers?: Record<string, string>): Promise<Response>;
  post(path: string, body: unknown): Promise<Response>;
  list(path: string): Promise<z.infer<typeof FileList>>;
  /** Errors that the handler has thrown: bugs. */
  bugs: unknown[];
};

export async function startFiles(session: TestSession): Promise<FilesClient> {
  const bugs: unknown[] = [];
  const server = http.createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://gateway').pathname.slice(PREFIX.length);
    handleFiles(session, request, response, path).catch((error: unknown) => {
      bugs.push(error);
      response.writeHead(500).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // it listens on TCP
  const url: FilesClient['url'] = (path, query = {}) =>
    `http://127.0.0.1:${port}${PREFIX}${path}?${new URLSearchParams(query).toString()}`;
  const get: FilesClient['get'] = async (path, query, headers = {}) => await fetch(url(path, query), { headers });
  return {
    url,
    get,
    post: async (path, body) =>
      await fetch(url(path), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    list: async (path) => await jsonOf<z.infer<typeof FileList>>(await get('list', { path })),
    bugs,
    [Symbol.asyncDispose]: async () => {
      session.end('ended-by-user');
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** The body of a reply that must have succeeded. */
export async function jsonOf<T>(response: Response): Promise<T> {
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return (await response.json()) as T; // the caller names what the call returns
}

export async function problemOf(response: Response): Promise<LoginProblem & { replyStatus: number }> {
  return { ...((await response.json()) as LoginProblem), replyStatus: response.status };
}
