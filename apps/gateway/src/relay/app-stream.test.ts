import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { Turns } from '../budget/account-turns.ts';
import { startFakeRelay } from '../testing/fake-relay.ts';
import { AppStream, type AppStreamDeps } from './app-stream.ts';

async function startTarget(onSocket: (socket: Socket) => void) {
  const server = createServer({ allowHalfOpen: true }, onSocket);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port, // it listens on TCP
    [Symbol.asyncDispose]: async () => await new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

const request = { secret: 's', app: 7, address: '198.51.100.7' };

const ownTurn = () => new Turns(10, () => performance.now()).of();

function open(...relayPorts: number[]) {
  return openInTurn(ownTurn(), ...relayPorts);
}

function openInTurn(turn: AppStreamDeps['turn'], ...relayPorts: number[]) {
  const counted = { in: 0, out: 0 };
  const stream = new AppStream({
    relayPorts,
    request,
    onBytesToTarget: (count) => (counted.in += count),
    onBytesFromTarget: (count) => (counted.out += count),
    turn,
  });
  return { stream, counted };
}

async function readAll(stream: AppStream): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer); // no encoding is set
  return Buffer.concat(chunks);
}

test('a target that sends byte by byte is read in larger pieces when its account has had too many small ones', async () => {
  await using target = await startTarget((socket) => {
    socket.setNoDelay(true);
    let left = 500;
    const sendOn = (): void => {
      socket.write('x');
      if (--left > 0) setImmediate(sendOn);
      else socket.end();
    };
    sendOn();
  });
  await using relay = await startFakeRelay(target.port);
  const turn = { run: (work: () => void) => work(), countSmallRead: () => false };
  const { stream } = openInTurn(turn, relay.port);
  let pieces = 0;
  stream.on('data', () => pieces++);
  expect((await readAll(stream)).toString()).toBe('x'.repeat(500));
  expect(pieces).toBeLessThan(250); // 20 ms of it at a time
});

test('bytes go both ways, are counted, and either side may end first', async () => {
  await using target = await startTarget((socket) => socket.pipe(socket));
  await using relay = await startFakeRelay(target.port);
  const { stream, counted } = open(relay.port);
  const sent = Buffer.alloc(5_000_000, 'bytes of the browser');
  stream.end(sent);
  expect((await readAll(stream)).equals(sent)).toBe(true);
  expect(counted).toEqual({ in: sent.length, out: sent.length });
  expect(relay.requests).toEqual([request]);
});

test('what a target sends first arrives before anything was sent', async () => {
  await using target = await startTarget((socket) => socket.end('SSH-2.0-x'));
  await using relay = await startFakeRelay(target.port);
  expect(String(await readAll(open(relay.port).stream))).toBe('SSH-2.0-x');
});

test('another relay is tried when the first does not have the device, or does not run', async () => {
  await using target = await startTarget((socket) => socket.end('hello'));
  await using away = await startFakeRelay('device-offline');
  await using relay = await startFakeRelay(target.port);
  const stopped = await startFakeRelay('busy');
  await stopped[Symbol.asyncDispose]();
  expect(String(await readAll(open(stopped.port, away.port, relay.port).stream))).toBe('hello');
});

test.each(['device-offline', 'agent-outdated', 'busy', 'not-allowed'] as const)(
  'a relay that answers %s ends the stream with that error',
  async (outcome) => {
    await using relay = await startFakeRelay(outcome);
    await expect(readAll(open(relay.port).stream)).rejects.toMatchObject({ name: 'TargetError', code: outcome });
  },
);

test('a target that refuses, and one that resets, end the stream with an error', async () => {
  const closed = await startTarget(() => {});
  await closed[Symbol.asyncDispose]();
  await using refusing = await startFakeRelay(closed.port);
  await expect(readAll(open(refusing.port).stream)).rejects.toMatchObject({ code: 'refused' });
  await using target = await startTarget((socket) => {
    socket.write('half');
    setImmediate(() => socket.resetAndDestroy());
  });
  await using relay = await startFakeRelay(target.port);
  await expect(readAll(open(relay.port).stream)).rejects.toMatchObject({ code: 'lost' });
});

test('a target that ends and is lost takes nothing more, and what it sent last is read', async () => {
  await using target = await startTarget((socket) => {
    socket.end('last');
    socket.once('data', () => socket.pause().resetAndDestroy());
  });
  await using relay = await startFakeRelay(target.port);
  const { stream } = open(relay.port);
  const closed = once(stream, 'close');
  stream.write(Buffer.alloc(20_000_000));
  expect(String(await readAll(stream))).toBe('last');
  await closed;
});

test('without any relay the device counts as offline', async () => {
  await expect(readAll(open().stream)).rejects.toMatchObject({ code: 'device-offline' });
});
