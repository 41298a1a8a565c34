import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  AppError,
  DownloadLimits,
  DownloadsChange,
  DownloadsChangeAll,
  DownloadSettings,
  LinksAdd,
  MAX_TORRENT_BYTES,
  type TargetConnected,
  TargetLogin,
  TorrentAddQuery,
} from '@tongtu/contract';
import type { z } from 'zod';
import { readBody, readJson, readQuery } from '../http/read-request.ts';
import { detailIn, sendJson, sendProblem } from '../http/send-problem.ts';
import type { LiveSession } from '../session/live-session.ts';
import { addLinks, addTorrent } from './add-downloads.ts';
import { changeAll, changeDownload, readLimits, setLimits, setSettings } from './change-downloads.ts';
import { downloadFailure, failureOf } from './failures.ts';
import { downloadsOf } from './downloads-of.ts';
import type { OpenDownloads } from './open-downloads.ts';

/** 100 links of 8192 characters. */
const MAX_JSON_BYTES = 4 * 1024 * 1024;

type DownloadsCall = {
  downloads: OpenDownloads;
  request: IncomingMessage;
  body: <Schema extends z.ZodType>(schema: Schema) => Promise<z.output<Schema>>;
  query: URLSearchParams;
};

/** Each returns the body of its answer. */
const calls: Record<string, Record<string, (call: DownloadsCall) => Promise<unknown>>> = {
  connect: { POST: connect },
  links: { POST: postLinks },
  torrent: { POST: postTorrent },
  change: {
    POST: async ({ downloads, body }) => {
      const change = await body(DownloadsChange);
      await downloads.use(async (rpc) => await changeDownload(rpc, change));
    },
  },
  change_all: {
    POST: async ({ downloads, body }) => {
      const change = await body(DownloadsChangeAll);
      await downloads.use(async (rpc) => await changeAll(rpc, change));
    },
  },
  limits: {
    GET: async ({ downloads }) => await downloads.use(readLimits),
    POST: async ({ downloads, body }) => {
      const limits = await body(DownloadLimits);
      await downloads.use(async (rpc) => await setLimits(rpc, limits));
    },
  },
  settings: {
    POST: async ({ downloads, body }) => {
      const settings = await body(DownloadSettings);
      await downloads.use(async (rpc) => await setSettings(rpc, settings));
    },
  },
};

/**
 * Answers a call of the downloads. `path` is what follows `/apps/{session}/downloads/`, without the query. Throws only
 * bugs.
 */
export async function handleDownloads(
  session: LiveSession,
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
): Promise<void> {
  try {
    const answer = await callFor(
      path,
      request.method ?? '',
    )({
      downloads: downloadsOf(session),
      request,
      body: async (schema) => await readJson(request, schema, MAX_JSON_BYTES),
      query: new URL(request.url ?? '/', 'http://gateway').searchParams,
    });
    sendJson(response, 200, answer ?? {});
  } catch (error) {
    if (response.closed) return;
    const failure = failureOf(session.signal.aborted ? session.signal.reason : error);
    if (failure === undefined) throw error;
    sendProblem(failure, request, response);
  }
}

function callFor(path: string, method: string): (call: DownloadsCall) => Promise<unknown> {
  const byMethod = Object.hasOwn(calls, path) ? calls[path] : undefined;
  if (byMethod === undefined) throw new AppError('request.not-found');
  const run = Object.hasOwn(byMethod, method) ? byMethod[method] : undefined;
  if (run === undefined) throw new AppError('request.method-not-allowed');
  return run;
}

async function connect({ downloads, body }: DownloadsCall): Promise<TargetConnected> {
  return { path: await downloads.connect(await body(TargetLogin)) };
}

async function postLinks({ downloads, body, request }: DownloadsCall): Promise<unknown> {
  const { links, folder, download_limit: downloadLimit } = await body(LinksAdd);
  const { added, refused } = await downloads.use(async (rpc) => await addLinks(rpc, links, { folder, downloadLimit }));
  const language = request.headers['accept-language'];
  return {
    done: added,
    failed: refused.map(({ link, error }) => ({ item: link, detail: detailIn(downloadFailure(error), language) })),
  };
}

async function postTorrent({ downloads, request, query }: DownloadsCall): Promise<void> {
  const { folder, download_limit: downloadLimit } = readQuery(query, TorrentAddQuery);
  // No page of another origin can send this type without a preflight, which nothing here answers.
  if (request.headers['content-type'] !== 'application/x-bittorrent') throw new AppError('request.unsupported-type');
  const torrent = await readBody(request, MAX_TORRENT_BYTES, () => new AppError('request.too-large'));
  await downloads.use(async (rpc) => await addTorrent(rpc, torrent, { folder, downloadLimit }));
}
