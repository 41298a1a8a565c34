import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { type AppFailure, errorCatalogue, type ErrorCode } from '@tongtu/contract';
import type { Logger } from 'pino';
import { type WebSocket, WebSocketServer } from 'ws';
import type { OpenSession } from '../sessions/open-session.ts';
import type { SessionRegistry } from '../sessions/session-registry.ts';
import type { AppHandlers } from './app-handlers.ts';
import { failureFor, sendProblem } from './send-problem.ts';
import { isFromConsole, readSessionRequest, type SessionRequest } from './session-request.ts';

/** Of one WebSocket message from a browser: above the limits of the protocols, which close with a reason of their own. */
const MAX_MESSAGE_BYTES = 2 * 1024 * 1024;
/** A browser that has vanished does not answer, and its session must not stay open. */
const PING_EVERY_MS = 20_000;
/** The answers carry what any device sends. */
const headers = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
};

type Deps = { sessions: SessionRegistry; handlers: AppHandlers; log: Logger };
type Admission =
  | { ok: true; session: OpenSession; path: string }
  | { ok: false; code: ErrorCode; reason?: AppFailure | null };

/** Serves the sessions of cloud apps below `/apps/{handle}/`. Not yet listening. */
export function createGatewayServer(deps: Deps): Server {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE_BYTES, perMessageDeflate: false });
  const server = createServer((request, response) => {
    serve(deps, request, response).catch((err: unknown) => {
      deps.log.error({ err }, 'a request of a cloud app failed');
      sendProblem(failureFor('server.internal'), request, response);
    });
  });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => {}); // the browser has left
    upgrade(deps, sockets, { request, socket, head }).catch((err: unknown) => {
      deps.log.error({ err }, 'a WebSocket of a cloud app failed');
      socket.destroy();
    });
  });
  return server;
}

async function serve(deps: Deps, request: IncomingMessage, response: ServerResponse): Promise<void> {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  const admission = await admit(deps, request, false);
  if (!admission.ok) return sendProblem(failureFor(admission.code), request, response);
  const { session, path } = admission;
  const { handle } = deps.handlers[session.facts.kind];
  if (handle === undefined) return sendProblem(failureFor('request.not-found'), request, response);
  response.once('close', session.use());
  session.touch();
  await handle(session, request, response, path);
}

type Upgrade = { request: IncomingMessage; socket: Duplex; head: Buffer };

async function upgrade(deps: Deps, sockets: WebSocketServer, { request, socket, head }: Upgrade): Promise<void> {
  const admission = await admit(deps, request, true);
  const accept = (use: (webSocket: WebSocket) => void) => sockets.handleUpgrade(request, socket, head, use);
  if (!admission.ok) {
    const { code, reason } = admission;
    // A browser does not show its page the status of a refused WebSocket, so the end of a session is sent as a message.
    if (reason) return accept((webSocket) => sendFailure(webSocket, reason));
    return refuse(socket, code);
  }
  const { session, path } = admission;
  const { sockets: known = {} } = deps.handlers[session.facts.kind];
  const connect = Object.hasOwn(known, path) ? known[path] : undefined;
  if (connect === undefined) return refuse(socket, 'request.not-found');
  accept((webSocket) => {
    webSocket.once('close', session.use());
    keepAlive(webSocket);
    session.touch();
    connect(session, webSocket);
  });
}

async function admit(deps: Deps, request: IncomingMessage, isUpgrade: boolean): Promise<Admission> {
  const wanted: SessionRequest | undefined = readSessionRequest(request);
  if (wanted === undefined) return { ok: false, code: 'cloud-app.session-not-found' };
  if (!isFromConsole(request, isUpgrade)) return { ok: false, code: 'request.cross-site' };
  let reason: AppFailure | null = null;
  for (const { sessionId, token } of wanted.cookies) {
    const found = await deps.sessions.find(sessionId, token);
    if (found.ok) return { ok: true, session: found.session, path: wanted.path };
    reason ??= found.reason;
  }
  return { ok: false, code: 'cloud-app.session-not-found', reason };
}

/** Pings it, also so that proxies see traffic, and cuts it when a ping was not answered before the next. */
function keepAlive(webSocket: WebSocket): void {
  let isAlive = true;
  webSocket.on('pong', () => {
    isAlive = true;
  });
  const pings = setInterval(() => {
    if (!isAlive) return webSocket.terminate();
    isAlive = false;
    webSocket.ping();
  }, PING_EVERY_MS).unref();
  webSocket.once('close', () => clearInterval(pings));
}

function sendFailure(webSocket: WebSocket, reason: AppFailure): void {
  webSocket.send(JSON.stringify({ type: 'failed', reason }));
  webSocket.close(1000);
}

function refuse(socket: Duplex, code: ErrorCode): void {
  const { status } = errorCatalogue[code];
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}
