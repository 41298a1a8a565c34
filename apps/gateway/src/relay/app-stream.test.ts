import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { startFakeDoor } from '../testing/fake-door.ts';
import { AppStream } from './app-stream.ts';

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

function open(...doorPorts: number[]) {
  const counted = { in: 0, out: 0 };
  const stream = new AppStream({
    doorPorts,
    request,
    onBytesToTarget: (count) => (counted.in += count),
    onBytesFromTarget: (count) => (counted.out += count),
  });
  return { stream, counted };
}

async function readAll(stream: AppStream): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer); // no encoding is set
  return Buffer.concat(chunks);
}

test('bytes go both ways, are counted, and either side may end first', async () => {
  await using target = await startTarget((socket) => socket.pipe(socket));
  await using door = await startFakeDoor(target.port);
  const { stream, counted } = open(door.port);
  const sent = Buffer.alloc(5_000_000, 'bytes of the browser');
  stream.end(sent);
  expect((await readAll(stream)).equals(sent)).toBe(true);
  expect(counted).toEqual({ in: sent.length, out: sent.length });
  expect(door.requests).toEqual([request]);
});

test('a target that speaks first is heard before anything was sent', async () => {
  await using target = await startTarget((socket) => socket.end('SSH-2.0-x'));
  await using door = await startFakeDoor(target.port);
  expect(String(await readAll(open(door.port).stream))).toBe('SSH-2.0-x');
});

test('another relay is tried when the first does not have the device, or does not run', async () => {
  await using target = await startTarget((socket) => socket.end('hello'));
  await using away = await startFakeDoor('device-offline');
  await using door = await startFakeDoor(target.port);
  const stopped = await startFakeDoor('busy');
  await stopped[Symbol.asyncDispose]();
  expect(String(await readAll(open(stopped.port, away.port, door.port).stream))).toBe('hello');
});

test.each(['device-offline', 'agent-outdated', 'busy', 'not-allowed'] as const)(
  'a relay that answers %s ends the stream with that error',
  async (outcome) => {
    await using door = await startFakeDoor(outcome);
    await expect(readAll(open(door.port).stream)).rejects.toMatchObject({ name: 'TargetError', code: outcome });
  },
);

test('a target that refuses, and one that resets, end the stream with an error', async () => {
  const closed = await startTarget(() => {});
  await closed[Symbol.asyncDispose]();
  await using refusing = await startFakeDoor(closed.port);
  await expect(readAll(open(refusing.port).stream)).rejects.toMatchObject({ code: 'refused' });
  await using target = await startTarget((socket) => {
    socket.write('half');
    setImmediate(() => socket.resetAndDestroy());
  });
  await using door = await startFakeDoor(target.port);
  await expect(readAll(open(door.port).stream)).rejects.toMatchObject({ code: 'lost' });
});

test('without any relay the device counts as offline', async () => {
  await expect(readAll(open().stream)).rejects.toMatchObject({ code: 'device-offline' });
});
