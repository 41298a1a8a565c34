import http from 'node:http';
import https from 'node:https';
import type { LiveSession } from '../../session/live-session.ts';
import { TargetError } from '../../session/live-session.ts';
import { HostKeyError } from '../../session/login-errors.ts';
import type { TunnelAgents } from '../../target-http/tunnel-agents.ts';
import { DownloadError } from '../../errors/download-error.ts';
import type { AskedMethods } from './methods.ts';

/** For a whole answer. aria2 lets a wrong secret wait for some seconds. */
const ANSWER_TIMEOUT_MS = 15_000;
/** Answers with a JSON-RPC body: aria2 sends its errors with 400. */
const RPC_STATUSES = new Set([200, 400, 500]);

type Limits = { answerTimeoutMs?: number | undefined };
type Target = { session: LiveSession; agents: TunnelAgents } & Limits;

/**
 * Posts JSON to the path of the app and returns what the `AnswerReader` makes of the answer. Throws TargetError,
 * HostKeyError, DownloadError.
 */
export async function postJson<Answer>(
  { session, agents, answerTimeoutMs }: Target,
  body: string,
  asked: AskedMethods,
): Promise<Answer> {
  const timeout = AbortSignal.timeout(answerTimeoutMs ?? ANSWER_TIMEOUT_MS);
  const signal = AbortSignal.any([timeout, session.signal]);
  try {
    const answer = await exchange(session, agents, body, signal);
    return await readAnswer<Answer>(session, answer, asked);
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

async function exchange(
  session: LiveSession,
  agents: TunnelAgents,
  body: string,
  signal: AbortSignal,
): Promise<http.IncomingMessage> {
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
  return answer;
}

/** As typed into the form: a path is absolute, and holds nothing that ends the request line. */
function rpcPath(typed: string): string {
  if (typed === '') return '/jsonrpc';
  return encodeURI(typed.startsWith('/') ? typed : `/${typed}`).replaceAll('%25', '%');
}

/** The thread keeps the bytes until the end. What it makes of them takes no more than they do. */
async function readAnswer<Answer>(
  session: LiveSession,
  answer: http.IncomingMessage,
  asked: AskedMethods,
): Promise<Answer> {
  using held = session.memory.hold(0);
  using reader = session.openReader<null, Answer>('aria2-answer', asked);
  for await (const part of answer as AsyncIterable<Buffer>) {
    held.grow(2 * part.length);
    await reader.write(part);
  }
  return await reader.end();
}
