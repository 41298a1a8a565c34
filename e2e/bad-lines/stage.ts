import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { freshFolder } from '../support/product/product.ts';
import { startAgent } from '@tongtu/agent';
import type { RelayToServer } from '@tongtu/contract';
import { PROTOCOL_VERSION } from '@tongtu/tunnel';
import {
  createAgentKey,
  startLanService,
  startTestRelay,
  testDevice,
  type TestRelay,
} from '@tongtu/relay/testing/relay';
import { CutLine } from '../support/services/cut-line.ts';

type Limits = NonNullable<Parameters<typeof startTestRelay>[0]>;

export type Stage = AsyncDisposable & {
  t: TestRelay;
  line: CutLine;
  /** The body that the service sends for `/<bytes>`. */
  bodyOf: (bytes: number) => Buffer;
  /** Requests a path of the service, and resolves with its whole answer. */
  get: (path: string, watch?: (socket: Socket) => void) => Promise<{ status: number; body: Buffer }>;
  /** Sends a body, of which the service answers the hash. */
  post: (body: Buffer) => Promise<string>;
  /** A visitor's connection, switched to another protocol: the service returns all bytes. */
  openEcho: () => Promise<Socket>;
  /** What the server was sent of the device: `online`, or why it is not. */
  presence: () => string[];
};

/** A real relay and a real agent, with a line between them. Times are short, so that tests need not wait. */
export async function startStage(limits: Limits = {}): Promise<Stage> {
  await using parts = new AsyncDisposableStack();
  const t = parts.use(await startTestRelay(limits));
  const line = parts.use(await CutLine.open(t.relay.tunnelPort));
  const pattern = randomBytes(1 << 20);
  const bodyOf = (bytes: number) => Buffer.concat([pattern, pattern, pattern, pattern]).subarray(0, bytes);
  const web = parts.use(
    await startLanService((request, response) => {
      if (request.method === 'POST') {
        const hash = createHash('sha256');
        request.on('data', (chunk: Buffer) => hash.update(chunk));
        request.on('end', () => response.end(hash.digest('hex')));
      } else response.end(bodyOf(Number(request.url?.slice(1))));
    }),
  );
  // After the switch of protocols the service returns all bytes.
  web.server.on('upgrade', (_request, socket) => {
    socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: echo\r\n\r\n');
    socket.on('error', () => {});
    socket.pipe(socket);
  });
  const device = testDevice(createAgentKey(), { 'nas.localhost': web.port });
  t.server.handlers.enrol = ({ publicKey }) => {
    t.server.put({ ...device, publicKey });
    return { ...device, publicKey };
  };
  t.server.handlers.page = (_request, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({
        protocol: PROTOCOL_VERSION,
        tunnel_host: '127.0.0.1',
        tunnel_port: line.port,
        relay_pin: t.relayPin,
        agent_version: '0.1.0',
        agent_sha256: '',
      }),
    );
  };
  const config = {
    serverUrl: `http://127.0.0.1:${t.server.port}`,
    token: 'tt_good',
    stateDir: await freshFolder('agent'),
    version: '0.1.0',
    bbr: false,
    discovery: false,
  };
  const agent = parts.use(await startAgent(config, { info() {}, warn() {} }));
  await agent.whenOnline();
  const running = parts.move();
  return {
    t,
    line,
    bodyOf,
    get: (path, watch) => ask(t.relay.httpPort, { line: `GET ${path}`, watch }),
    post: async (body) => String((await ask(t.relay.httpPort, { line: 'POST /', body })).body),
    openEcho: () => switchedSocket(t.relay.httpPort),
    presence: () => t.server.received.flatMap(presenceOf),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

function presenceOf(message: RelayToServer): string[] {
  if (message.type !== 'presence') return [];
  return message.events.map((event) => (event.online ? 'online' : event.reason));
}

type Asked = { line: string; body?: Buffer; watch?: ((socket: Socket) => void) | undefined };

/** By a connection of its own. */
async function ask(port: number, { line, body = Buffer.alloc(0), watch }: Asked) {
  const socket = connect(port, '127.0.0.1');
  watch?.(socket);
  socket.write(
    `${line} HTTP/1.1\r\nHost: nas.localhost\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n`,
  );
  socket.write(body);
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  await once(socket, 'close');
  const answer = Buffer.concat(chunks);
  const at = answer.indexOf('\r\n\r\n');
  return { status: Number(answer.toString('latin1', 9, 12)), body: answer.subarray(at + 4) };
}

async function switchedSocket(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.write('GET /0 HTTP/1.1\r\nHost: nas.localhost\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n');
  const [head] = (await once(socket, 'data')) as [Buffer];
  if (!head.toString('latin1').startsWith('HTTP/1.1 101 ')) throw new Error(head.toString('latin1'));
  return socket;
}
