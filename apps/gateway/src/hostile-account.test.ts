import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import {
  appCookieNames,
  appCookieValue,
  appPath,
  CloudAppOptions,
  type CloudAppKind,
  type GatewaySession,
} from '@tongtu/contract';
import { expect, test } from 'vitest';
import WebSocket from 'ws';
import { startFakeRelay } from './testing/fake-relay.ts';
import type { GatewayProcessConfig } from './testing/gateway-process.ts';
import { startRawServer } from './testing/start-raw-server.ts';

/** An eighth of the product's. The gateway itself takes half of it. */
const MAX_HEAP_MB = 96;
const SESSIONS_OF_EACH = 4;
const INNOCENT = 1;
const HANDLE = 'h'.repeat(22);
const TOKEN = 't'.repeat(43);

const cookieOf = (sessionId: number): string =>
  `${appCookieNames.http}=${appCookieValue({ handle: HANDLE, sessionId, token: TOKEN })}`;

const folder =
  '<D:response><D:href>/</D:href><D:propstat><D:prop><D:resourcetype><D:collection/></D:resourcetype></D:prop>' +
  '</D:propstat></D:response>';
const list = `<D:multistatus xmlns:D="DAV:">${folder}`;
/** The beginning, and then each byte in a chunk of its own. */
const inPieces = (beginning: string, byte: string, count: number): Buffer =>
  Buffer.from(`${beginning.length.toString(16)}\r\n${beginning}\r\n${`1\r\n${byte}\r\n`.repeat(count)}0\r\n\r\n`);

/** What the hostile targets answer once they are logged in to, by the numbers of their apps. */
const answers: { app: number; kind: CloudAppKind; answer: (response: ServerResponse) => void }[] = [
  {
    app: 2,
    kind: 'webdav', // a name of 24 MB
    answer: (response) => void response.end(`${list}<D:response><D:href>/${'n'.repeat(24_000_000)}`),
  },
  {
    app: 3,
    kind: 'webdav', // spaces between elements
    answer: ({ socket }) => void socket?.write(inPieces(list, ' ', 50_000)),
  },
  {
    app: 4,
    kind: 'aria2', // a text
    answer: ({ socket }) => void socket?.write(inPieces('{"result":"', 'x', 50_000)),
  },
];

async function startHostileServer(answer: (response: ServerResponse) => void) {
  const server = createServer((request, response) => {
    response.on('error', () => {}); // the gateway hangs up
    request.resume().once('end', () => {
      response.writeHead(request.method === 'PROPFIND' ? 207 : 200).flushHeaders();
      if (request.headers['depth'] === '0') response.end(`${list}</D:multistatus>`);
      else answer(response);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port, // it listens on TCP
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function sessionOf(sessionId: number, appId: number, kind: CloudAppKind): GatewaySession {
  const account = sessionId === INNOCENT ? 1 : 2;
  return {
    ...{ sessionId, appId, kind, host: 'target', port: 1, secrets: {}, hostKey: null, visitorAddress: '127.0.0.1' },
    options: CloudAppOptions.parse({}),
    ...{ accountId: account, ownerId: account, isOwner: true },
  };
}

async function startGatewayProcess(config: GatewayProcessConfig) {
  const child: ChildProcess = fork(path.resolve(import.meta.dirname, 'testing/gateway-process.ts'), {
    execArgv: [`--max-old-space-size=${MAX_HEAP_MB}`],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  child.send(config);
  const [port] = (await once(child, 'message')) as [number]; // it sends nothing else
  return {
    child,
    origin: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.disconnect();
      await once(child, 'exit');
    },
  };
}

async function openTerminal(origin: string) {
  const socket = new WebSocket(`${origin.replace('http', 'ws')}${appPath(HANDLE)}terminal`, {
    headers: { cookie: cookieOf(INNOCENT), origin },
  });
  let echoed = '';
  const connected = Promise.withResolvers<void>();
  socket.on('message', (data: Buffer, isBinary) => {
    if (isBinary) echoed += data.toString();
    else if (data.includes('"connected"')) connected.resolve();
  });
  await once(socket, 'open');
  socket.send(JSON.stringify({ type: 'start', columns: 80, rows: 24 }));
  await connected.promise;
  return {
    socket,
    async say(text: string) {
      socket.send(Buffer.from(text));
      await expect.poll(() => echoed.includes(text)).toBe(true);
    },
    [Symbol.dispose]: () => socket.terminate(),
  };
}

test('many sessions of one account with targets that send without end do not end the gateway, nor a terminal of another', async () => {
  await using parts = new AsyncDisposableStack();
  const echo = parts.use(await startRawServer((socket) => socket.pipe(socket)));
  const ports = new Map([[INNOCENT, echo.port]]);
  const sessions = [sessionOf(INNOCENT, INNOCENT, 'telnet')];
  for (const { app, kind, answer } of answers) {
    ports.set(app, parts.use(await startHostileServer(answer)).port);
    for (let count = 0; count < SESSIONS_OF_EACH; count++) sessions.push(sessionOf(app * 100 + count, app, kind));
  }
  const relay = parts.use(await startFakeRelay((app) => ports.get(app) ?? 0));
  const gateway = parts.use(await startGatewayProcess({ relayPort: relay.port, sessions }));
  const terminal = parts.use(await openTerminal(gateway.origin));
  await terminal.say('before');

  const attacks = sessions.slice(1).map(async ({ sessionId, kind }) => {
    const call = kind === 'webdav' ? 'files/list?path=/' : 'downloads/connect';
    const headers = { cookie: cookieOf(sessionId), origin: gateway.origin, 'content-type': 'application/json' };
    const options = { headers, ...(kind === 'aria2' && { method: 'POST', body: '{}' }) };
    const reply = await fetch(`${gateway.origin}${appPath(HANDLE)}${call}`, options);
    return ((await reply.json()) as { code: string }).code;
  });
  await terminal.say('during');
  const codes = await Promise.all(attacks);
  await terminal.say('after');

  // On a busy machine an answer may take longer than the gateway waits.
  expect(['target.protocol', 'target.timed-out']).toEqual(expect.arrayContaining(codes));
  expect([gateway.child.exitCode, gateway.child.signalCode]).toEqual([null, null]);
});
