import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError, UploadMetadata } from '@tongtu/contract';
import { Server } from '@tus/server';
import type { OpenFiles } from '../open/open-files.ts';
import { RequestBody, requestBody } from '../uploads/request-body.ts';
import { readUploadId, uploadId } from '../uploads/upload-id.ts';
import { UploadStore } from '../uploads/upload-store.ts';
import type { FilesCall } from './files-call.ts';
import { failureOf } from './failures.ts';
import { failureFor, problemOf } from '../../http/send-problem.ts';

/** How long a request waits for the one before it, whose connection may be lost without a sign. */
const TAKEN_OVER_AFTER_MS = 1_000;
const METHODS = new Set(['POST', 'HEAD', 'PATCH', 'DELETE', 'OPTIONS']);

const servers = new WeakMap<OpenFiles, Server>();
/** The library answers them itself. */
const bugs = new WeakMap<Request, unknown>();

/** tus 1.0 at `uploads/`. Its errors have problem details as text. */
export async function upload({ files, request, response }: FilesCall): Promise<void> {
  if (!METHODS.has(request.method ?? '')) throw new AppError('request.method-not-allowed');
  const server = servers.get(files) ?? tusServer(files);
  servers.set(files, server);
  const body = new RequestBody(request);
  const asked = webRequest(request, body);
  const reply = await requestBody.run(body, () => server.handleWeb(asked));
  if (bugs.has(asked)) throw bugs.get(asked);
  await send(response, reply);
}

function webRequest({ method = '', url = '/', headers }: IncomingMessage, { placeholder }: RequestBody): Request {
  const hasBody = method === 'POST' || method === 'PATCH';
  return new Request(new URL(url, 'http://gateway'), {
    method,
    headers: Object.entries(headers).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
    ...(hasBody && { body: placeholder, duplex: 'half' }),
  });
}

async function send(response: ServerResponse, reply: Response): Promise<void> {
  const text = await reply.text();
  reply.headers.delete('connection'); // cut at once, a browser that is still sending would not see the answer
  response.writeHead(reply.status, Object.fromEntries(reply.headers)).end(text);
}

function tusServer(files: OpenFiles): Server {
  return new Server({
    path: '/uploads',
    datastore: new UploadStore(files),
    lockDrainTimeout: TAKEN_OVER_AFTER_MS,
    allowedOrigins: () => false, // of the console's own origin alone
    generateUrl: (request, { id }) => `${new URL(request.url).pathname.replace(/\/$/, '')}/${id}`,
    getFileIdFromRequest: (_request, id) => (id !== undefined && readUploadId(id) !== undefined ? id : undefined),
    namingFunction: (request, metadata) => {
      const parsed = UploadMetadata.safeParse(metadata);
      const size = Number(request.headers.get('upload-length') ?? Number.NaN);
      if (!parsed.success || !Number.isSafeInteger(size) || size < 0) throw new AppError('request.invalid');
      return uploadId({ ...parsed.data, size });
    },
    onResponseError: (request, error) => {
      const { signal } = files.session;
      const failure = failureOf(signal.aborted ? signal.reason : error);
      if (failure === undefined && 'status_code' in error) return undefined; // of the protocol itself
      if (failure === undefined) bugs.set(request, error);
      const reported = failure ?? failureFor('server.internal');
      const problem = problemOf(reported, request.headers.get('accept-language') ?? undefined);
      return { status_code: reported.status, body: JSON.stringify(problem) };
    },
  });
}
