import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { type ScreenFromBrowser, ScreenFromGateway } from '@tongtu/contract';
import { createWebSocketStream, WebSocket, WebSocketServer } from 'ws';
import type { LiveSession } from '../../session/live-session.ts';
import { connectScreenControl } from '../screen-control.ts';

export type TestScreen = AsyncDisposable & {
  /** The bytes of the screen. */
  stream: Duplex;
  socket: WebSocket;
  /** What the gateway has said beside them. */
  messages: ScreenFromGateway[];
  say: (message: ScreenFromBrowser | string) => void;
  closed: Promise<{ code: number; reason: string }>;
};

/** A screen as the page opens it, over real WebSockets: first its control, then its bytes. */
export async function openScreen(
  session: LiveSession,
  connect: (session: LiveSession, socket: WebSocket) => void,
): Promise<TestScreen> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  server.on('connection', (socket, { url }) =>
    url === '/control' ? connectScreenControl(session, socket) : connect(session, socket),
  );
  await once(server, 'listening');
  const origin = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`; // of a TCP server
  const control = new WebSocket(`${origin}/control`);
  await once(control, 'open');
  const messages: ScreenFromGateway[] = [];
  control.on('message', (data: Buffer) => messages.push(ScreenFromGateway.parse(JSON.parse(data.toString()))));
  const socket = new WebSocket(`${origin}/screen`);
  const closed = once(socket, 'close').then(([code, reason]) => ({
    code: code as number, // what ws gives
    reason: String(reason),
  }));
  const stream = createWebSocketStream(socket);
  stream.on('error', () => {}); // the gateway may close it
  await once(socket, 'open');
  return {
    stream,
    socket,
    messages,
    say: (message) => control.send(typeof message === 'string' ? message : JSON.stringify(message)),
    closed,
    async [Symbol.asyncDispose]() {
      server.clients.forEach((client) => client.terminate());
      [control, socket].forEach((client) => client.terminate());
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
