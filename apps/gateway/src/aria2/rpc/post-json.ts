import http from 'node:http';
import https from 'node:https';
import type { LiveSession } from '../../session/live-session.ts';
import { TargetError } from '../../session/live-session.ts';
import { HostKeyError } from '../../session/login-errors.ts';
import type { TunnelAgents } from '../../target-http/tunnel-agents.ts';
import { DownloadError } from './download-error.ts';

/** For a whole answer. aria2 lets a wrong secret wait for some seconds. */
const ANSWER_TIMEOUT_MS = 15_000;
/** 2000 downloads have about 1 MB. */
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;
/** Answers with a JSON-RPC body: aria2 sends its errors with 400. */
const RPC_STATUSES = new Set([200, 400, 500]);

type Limits = { answerTimeoutMs?: number | undefined };
type Target = { session: LiveSession; agents: TunnelAgents } & Limits;

/** Posts JSON to the path of the app and returns the JSON of the answer. Throws TargetError, HostKeyError, DownloadError. */
export async function postJson({ session, agents, answerTimeoutMs }: Target, body: string): Promise<unknown> {
  const timeout = AbortSignal.timeout(answerTimeoutMs ?? ANSWER_TIMEOUT_MS);
  const signal = AbortSignal.any([timeout, session.signal]);
  try {
    return await exchange(session, agents, body, signal);
  } catch (error) {
    session.signal.throwIfAborted();
    if (timeout.aborted) throw new TargetError('timed-out', { cause: error });
    if (error instanceof TargetError || error instanceof HostKeyError || error instanceof DownloadError) throw error;
    const { code } = error as { code?: unknown }; // only compared
    // What came was no HTTP.
    const isParser = typeof code === 'string' && code.startsWith('HPE_');
    throw new TargetError(isParser ? 'protocol' : 'lost', { cause: error });
  }
}

async function exchange(session: LiveSession, agents: TunnelAgents, body: string, signal: AbortSignal) {
  const { options, host, port } = session.facts;
  const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>();
  const library = options.tls ? https : http;
  const request = library.request({
    ...{ method: 'POST', path: rpcPath(options.path), host, port, signal },
    agent: options.tls ? agents.httpsAgent : agents.httpAgent,
    headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
  });
  request.once('response', resolve);
  request.on('error', reject);
  request.end(body);
  const answer = await promise;
  const { statusCode = 0 } = answer;
  if (!RPC_STATUSES.has(statusCode)) {
    answer.destroy();
    throw new TargetError(statusCode === 401 ? 'login-failed' : 'protocol');
  }
  const bytes = await readAll(answer);
  try {
    return JSON.parse(bytes.toString('utf8')) as unknown;
  } catch (error) {
    throw new TargetError('protocol', { cause: error });
  }
}

/** As typed into the form: a path is absolute, and holds nothing that ends the request line. */
function rpcPath(typed: string): string {
  if (typed === '') return '/jsonrpc';
  return encodeURI(typed.startsWith('/') ? typed : `/${typed}`).replaceAll('%25', '%');
}

async function readAll(answer: http.IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of answer as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > MAX_ANSWER_BYTES) throw new DownloadError('too-much');
    parts.push(part);
  }
  return Buffer.concat(parts);
}
