import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { startLanService } from '../testing/lan-service.ts';
import { openMuxPair } from '../testing/mux-pair.ts';
import { selfSigned } from '../testing/self-signed.ts';

const MB = 1024 * 1024;
const target = (port: number, host = '127.0.0.1') => ({ mappingId: 1, host, port, transport: 'tcp' as const });
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

function* slices(bytes: Buffer, size = 64 * 1024): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

test('a request in the same frame as the open request is answered with the status before the first bytes', async () => {
  await using service = await startLanService((socket) =>
    socket.on('data', (chunk) => socket.write(`you said ${String(chunk)}`)),
  );
  await using pair = await openMuxPair();
  pair.forwarder.setTargets([target(service.port)]);

  const stream = pair.open(target(service.port), { first: Buffer.from('hello') });

  expect(await stream.status).toBe('connected');
  await stream.whenReceived(14);
  expect(stream.text).toBe('you said hello');
});

test('an open request may arrive byte by byte', async () => {
  await using service = await startLanService((socket) => socket.pipe(socket));
  await using pair = await openMuxPair();
  pair.forwarder.setTargets([target(service.port)]);

  const stream = pair.open(target(service.port), { first: Buffer.from('abc'), cutEvery: 1 });

  await stream.whenReceived(3);
  expect(stream.text).toBe('abc');
});

test('20 MB pass in both directions at once, unchanged', async () => {
  const up = randomBytes(20 * MB);
  const down = randomBytes(20 * MB);
  const received = createHash('sha256');
  await using service = await startLanService((socket) => {
    socket.on('data', (chunk) => received.update(chunk));
    socket.end(down);
  });
  await using pair = await openMuxPair();
  pair.forwarder.setTargets([target(service.port)]);

  const stream = pair.open(target(service.port));
  const socket = await service.nextSocket();
  const uploaded = once(socket, 'end');
  await stream.writeAll(slices(up));
  stream.end();
  await Promise.all([uploaded, stream.ended]);

  expect(stream.digest()).toBe(sha256(down));
  expect(received.digest('hex')).toBe(sha256(up));
  await expect.poll(() => pair.forwarder.openCount).toBe(0);
});

test('a target that ends first can still be written to', async () => {
  await using service = await startLanService((socket) => socket.end('only this'));
  await using pair = await openMuxPair();
  pair.forwarder.setTargets([target(service.port)]);

  const stream = pair.open(target(service.port));
  await stream.ended;
  expect(stream.text).toBe('only this');

  const socket = await service.nextSocket();
  const said = once(socket, 'data');
  stream.write(Buffer.from('and this'));
  expect(String((await said)[0])).toBe('and this');
  stream.end();
  await expect.poll(() => pair.forwarder.openCount).toBe(0);
});

test('a visitor that ends first still gets the answer', async () => {
  await using service = await startLanService((socket) => {
    const text: Buffer[] = [];
    socket.on('data', (chunk) => text.push(chunk));
    socket.on('end', () => socket.end(`${String(Buffer.concat(text))} world`));
  });
  await using pair = await openMuxPair();
  pair.forwarder.setTargets([target(service.port)]);

  const stream = pair.open(target(service.port), { first: Buffer.from('hello') });
  stream.end();

  await stream.ended;
  expect(stream.text).toBe('hello world');
});

test('a target that ends without data is connected, then ended', async () => {
  await using service = await startLanService((socket) => socket.end());
  await using pair = await openMuxPair();
  pair.forwarder.setTargets([target(service.port)]);

  const stream = pair.open(target(service.port));

  expect(await stream.status).toBe('connected');
  await stream.ended;
});

test('a LAN device with a certificate of its own is reached over TLS', async () => {
  const certificate = await selfSigned('nas.lan');
  await using service = await startLanService(
    (socket) => socket.on('data', (chunk) => socket.end(`tls ${String(chunk)}`)),
    {
      certificate,
    },
  );
  await using pair = await openMuxPair();
  pair.forwarder.setTargets([target(service.port)]);

  const stream = pair.open(target(service.port), { kind: 'tls', first: Buffer.from('hello') });

  await stream.ended;
  expect(stream.text).toBe('tls hello');
  stream.end();
  await expect.poll(() => pair.forwarder.openCount).toBe(0);
});

test('a visitor that does not read pauses the target, and a slow one loses nothing', async () => {
  const down = randomBytes(16 * MB);
  await using service = await startLanService((socket) => socket.end(down));
  await using pair = await openMuxPair();
  pair.forwarder.setTargets([target(service.port)]);
  const slow = pair.open(target(service.port));
  slow.isReading = false;
  await slow.whenReceived(200 * 1024);

  const fast = pair.open(target(service.port));
  await fast.ended;
  expect(fast.digest()).toBe(sha256(down));
  expect(slow.receivedBytes).toBeLessThan(256 * 1024 + 1);

  slow.startReading();
  await slow.ended;
  expect(slow.digest()).toBe(sha256(down));
});

test('a target that does not read pauses the visitor', async () => {
  await using service = await startLanService((socket) => socket.pause());
  await using pair = await openMuxPair();
  pair.forwarder.setTargets([target(service.port)]);
  const stream = pair.open(target(service.port));
  const socket = await service.nextSocket();
  const up = randomBytes(32 * MB);
  let isAllWritten = false;
  const written = stream.writeAll(slices(up)).then(() => (isAllWritten = true));

  // Another stream of the same mux is answered: only the first stream is stuck, not the connection.
  await using echo = await startLanService((other) => other.pipe(other));
  pair.forwarder.setTargets([target(service.port), target(echo.port)]);
  const other = pair.open(target(echo.port));
  await other.writeAll(slices(up.subarray(0, 4 * MB)));
  await other.whenReceived(4 * MB);
  expect(isAllWritten).toBe(false);

  const received = createHash('sha256');
  socket.on('data', (chunk) => received.update(chunk));
  socket.resume();
  const ended = once(socket, 'end');
  await written;
  stream.end();
  await ended;
  expect(received.digest('hex')).toBe(sha256(up));
});

test('a reset by the relay breaks the LAN connection instead of ending it', async () => {
  for (const certificate of [undefined, await selfSigned('nas.lan')]) {
    await using service = await startLanService((socket) => socket.resume(), certificate ? { certificate } : {});
    await using pair = await openMuxPair();
    pair.forwarder.setTargets([target(service.port)]);
    const kind = certificate ? 'tls' : 'tcp';
    const stream = pair.open(target(service.port), { kind, first: Buffer.from('half of an upl') });
    const socket = await service.nextSocket();
    const broken = once(socket, 'error').then(() => 'error');
    const ended = once(socket, 'end').then(() => 'end');
    await once(socket, 'data');

    stream.stream.reset();

    expect(await Promise.race([broken, ended])).toBe('error');
    await expect.poll(() => pair.forwarder.openCount).toBe(0);
  }
});

test('after an end by the relay its reset ends the LAN connection', async () => {
  for (const certificate of [undefined, await selfSigned('nas.lan')]) {
    await using service = await startLanService((socket) => socket.resume(), certificate ? { certificate } : {});
    await using pair = await openMuxPair();
    pair.forwarder.setTargets([target(service.port)]);
    const kind = certificate ? 'tls' : 'tcp';
    const stream = pair.open(target(service.port), { kind, first: Buffer.from('all of a request') });
    const socket = await service.nextSocket();
    const errors: Error[] = [];
    socket.on('error', (error) => errors.push(error));
    const ended = once(socket, 'end');
    await once(socket, 'data');

    stream.end();
    stream.stream.reset();

    await ended;
    expect(errors).toEqual([]);
    // Nobody reads on the other side.
    await expect.poll(() => (socket.write('late'), socket.destroyed)).toBe(true);
    await expect.poll(() => pair.forwarder.openCount).toBe(0);
  }
});

test('a LAN connection that breaks resets the stream', async () => {
  await using service = await startLanService((socket) => socket.on('data', () => socket.resetAndDestroy()));
  await using pair = await openMuxPair();
  pair.forwarder.setTargets([target(service.port)]);

  await pair.open(target(service.port), { first: Buffer.from('x') }).reset;
  expect(pair.forwarder.openCount).toBe(0);
});

test('when the tunnel ends, every LAN connection ends', async () => {
  await using service = await startLanService((socket) => socket.pipe(socket));
  await using pair = await openMuxPair();
  pair.forwarder.setTargets([target(service.port)]);
  const stream = pair.open(target(service.port), { first: Buffer.from('x') });
  await stream.whenReceived(1);
  const socket = await service.nextSocket();
  const closed = new Promise((resolve) => socket.once('close', resolve));

  pair.relay.close();

  await closed;
  expect(pair.forwarder.openCount).toBe(0);
});

test('an empty window update precedes the first bytes after a write to the target, and no unsolicited bytes', async () => {
  await using service = await startLanService((socket) =>
    socket.on('data', (chunk) => socket.write(`to ${String(chunk)};`)),
  );
  await using pair = await openMuxPair();
  pair.forwarder.setTargets([target(service.port)]);
  const relayStream = pair.open(target(service.port), { first: Buffer.from('one') });
  const { stream } = relayStream;
  await relayStream.whenReceived('to one;'.length);
  const afterOne = stream.emptyUpdateCount;

  const socket = await service.nextSocket();
  socket.write('unasked;');
  await relayStream.whenReceived('to one;unasked;'.length);
  expect(stream.emptyUpdateCount).toBe(afterOne);

  stream.write(Buffer.from('two'));
  await relayStream.whenReceived('to one;unasked;to two;'.length);
  expect(stream.emptyUpdateCount).toBe(afterOne + 1);
});
