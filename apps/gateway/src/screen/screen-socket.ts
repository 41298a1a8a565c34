import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { AppFailure } from '@tongtu/contract';
import { createWebSocketStream, type WebSocket } from 'ws';
import { sendProblem } from '../http/send-problem.ts';
import { type LiveSession, SessionEndedError, TargetError } from '../sessions/live-session.ts';

/** WebSocket close codes for applications begin at 4000 (RFC 6455 §7.4.2). */
const FAILED = 4_000;

/** The reason why the last screen of a session closed: the browser's libraries do not show theirs. */
const lastFailures = new WeakMap<LiveSession, AppFailure>();

/** `GET failure`: `{reason}`, the failure of the last WebSocket, or null. */
export async function answerScreenFailure(
  session: LiveSession,
  _request: IncomingMessage,
  response: ServerResponse,
  path: string,
): Promise<void> {
  if (path !== 'failure') return sendProblem(response, 'request.not-found');
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ reason: lastFailures.get(session) ?? null }));
  await Promise.resolve();
}

/**
 * Joins a WebSocket with a new stream to the target, each with the other's back-pressure. `begin` does what the gateway
 * has to do itself before the bytes pass, and may replace the target's stream (by TLS over it).
 */
export function joinScreen(
  session: LiveSession,
  socket: WebSocket,
  begin: (target: Duplex, browser: Duplex) => Promise<Duplex>,
): void {
  lastFailures.delete(session);
  const browser = createWebSocketStream(socket, { allowHalfOpen: false });
  const close = (reason: AppFailure) => {
    if (!lastFailures.has(session)) lastFailures.set(session, reason);
    socket.close(FAILED, reason);
    target?.destroy();
  };
  const target = openTarget(session, close);
  if (target === undefined) return;
  const onAbort = () => close(reasonOf(session.signal.reason));
  session.signal.addEventListener('abort', onAbort, { once: true });
  socket.on('message', () => session.touch());
  socket.once('close', () => {
    session.signal.removeEventListener('abort', onAbort);
    target.destroy();
  });
  browser.on('error', () => target.destroy()); // the browser has left
  target.on('error', (error) => close(reasonOf(error)));
  begin(target, browser).then(
    (stream) => {
      stream.on('error', (error) => close(reasonOf(error)));
      stream.once('end', () => close('closed'));
      stream.pipe(browser, { end: false });
      browser.pipe(stream);
    },
    (error: unknown) => close(reasonOf(error)),
  );
}

function openTarget(session: LiveSession, close: (reason: AppFailure) => void): Duplex | undefined {
  try {
    return session.openStream();
  } catch (error) {
    close(reasonOf(error));
    return undefined;
  }
}

function reasonOf(error: unknown): AppFailure {
  return error instanceof TargetError || error instanceof SessionEndedError ? error.code : 'lost';
}
