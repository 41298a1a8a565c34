import net from 'node:net';
import { Duplex } from 'node:stream';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { ProtocolError } from '../errors.ts';
import { pattern, waitFor } from '../testing/compliance.ts';
import { rawFrame, readFrames } from '../testing/lone-mux.ts';
import { createOurMux } from '../testing/our-mux.ts';
import { connectMux, MuxCarrier } from './connect-mux.ts';
import { FIRST_WINDOW_BYTES } from './flow-control.ts';
import { flag, frameType } from './frame.ts';
import type { Mux } from './mux.ts';
import type { MuxStream, MuxStreamEvents } from './stream.ts';

const sockets: net.Socket[] = [];
const server = net.createServer();
server.listen(0, '127.0.0.1');
afterEach(() => {
  vi.useRealTimers();
  for (const socket of sockets.splice(0)) socket.destroy();
});

async function openSockets(): Promise<[net.Socket, net.Socket]> {
  if (!server.listening) await new Promise((resolve) => server.once('listening', resolve));
  const accepted = new Promise<net.Socket>((resolve) => server.once('connection', resolve));
  const near = net.connect((server.address() as net.AddressInfo).port, '127.0.0.1');
  const far = await accepted;
  sockets.push(near, far);
  return [near, far];
}

afterAll(() => server.close());

const quiet: MuxStreamEvents = { onData() {}, onEnd() {}, onReset() {}, onDrain() {} };

/** A mux on a duplex whose bytes the test reads and writes. */
function connectByHand(socket: Duplex): { mux: Mux; streams: MuxStream[]; closes: (Error | undefined)[] } {
  const streams: MuxStream[] = [];
  const closes: (Error | undefined)[] = [];
  const mux = connectMux(socket, {
    role: 'server',
    monotonicMs: () => performance.now(),
    onStream(stream) {
      streams.push(stream);
      return quiet;
    },
    onClose: (error) => closes.push(error),
  });
  return { mux, streams, closes };
}

/** A socket that counts its writes. The test completes them. */
function createSlowSocket() {
  const writes: Buffer[][] = [];
  let onWritten: (() => void) | undefined;
  const socket = new Duplex({
    read() {},
    write(chunk: Buffer, _encoding, done) {
      writes.push([chunk]);
      onWritten = done;
    },
    writev(chunks, done) {
      writes.push(chunks.map(({ chunk }) => chunk as Buffer));
      onWritten = done;
    },
  });
  function finishWrite(): void {
    const done = onWritten;
    onWritten = undefined;
    done?.();
  }
  return { socket, writes, finishWrite };
}

test('all output of one turn of the event loop is sent in one write', async () => {
  const { socket, writes, finishWrite } = createSlowSocket();
  const { mux } = connectByHand(socket);
  for (let i = 0; i < 5; i++) mux.openStream(quiet).write(Buffer.alloc(20_000));
  expect(writes).toHaveLength(0);
  await waitFor(() => writes.length > 0);
  // The first of them measures the line.
  const { ping, data } = frameType;
  expect(readFrames(Buffer.concat(writes[0] ?? [])).map(({ type }) => type)).toEqual([ping, ...Array(5).fill(data)]);
  finishWrite();
  expect(writes).toHaveLength(1);
});

test('little is queued in a full socket, and all is sent when it drains', async () => {
  const { socket, writes, finishWrite } = createSlowSocket();
  const { mux } = connectByHand(socket);
  const streams = Array.from({ length: 20 }, () => mux.openStream(quiet));
  for (const stream of streams) stream.write(Buffer.alloc(200_000));
  await waitFor(() => writes.length > 0);
  let mostUnsentBytes = socket.writableLength;
  let sentBytes = 0;
  while (mux.hasOutput || socket.writableLength > 0) {
    const sent = Buffer.concat(writes.splice(0).flat());
    sentBytes += sent.length;
    for (const { type, flags, length } of readFrames(sent))
      if (type === frameType.ping && flags === flag.syn) socket.push(rawFrame({ type, flags: flag.ack, length }));
    finishWrite();
    await new Promise((resolve) => setImmediate(resolve));
    mostUnsentBytes = Math.max(mostUnsentBytes, socket.writableLength);
  }
  expect(mostUnsentBytes).toBeLessThan(300 * 1024);
  expect(sentBytes).toBeGreaterThan(20 * 200_000);
});

test('a ping is answered while a stream has more to send than the socket takes', async () => {
  const [near, far] = await openSockets();
  const client = createOurMux(near, 'client');
  const served = createOurMux(far, 'server');
  const stream = await client.open();
  await stream.send(Buffer.alloc(3_000_000));
  expect(await served.ping()).toBeGreaterThanOrEqual(0);
  client.close();
});

test('streams that nobody reads do not pause the connection', async () => {
  const [near, far] = await openSockets();
  const client = createOurMux(near, 'client');
  const served = createOurMux(far, 'server');
  const stalled = await Promise.all(
    Array.from({ length: 30 }, async () => {
      const stream = await client.open();
      void stream.send(pattern(1_000_000, 1));
      const accepted = await served.accept();
      accepted.pause();
      return accepted;
    }),
  );
  // Each stream has received its whole window.
  await waitFor(() => stalled.every((stream) => stream.receivedBytes() >= FIRST_WINDOW_BYTES));
  expect(far.isPaused()).toBe(false);
  const stream = await client.open();
  const sent = stream.send(pattern(3_000_000, 2));
  const accepted = await served.accept();
  await sent;
  await stream.end();
  expect((await accepted.received).equals(pattern(3_000_000, 2))).toBe(true);
  expect(stalled.every((stream) => stream.receivedBytes() < 1_000_000)).toBe(true);
});

test('a destroyed socket closes both muxes once and resets every stream', async () => {
  const [near, far] = await openSockets();
  const client = createOurMux(near, 'client');
  const served = createOurMux(far, 'server');
  const stream = await client.open();
  await stream.send(Buffer.from('x'));
  const accepted = await served.accept();
  near.destroy(new Error('cable pulled'));
  expect(await client.closed).toMatchObject({ message: 'cable pulled' });
  expect(await served.closed).toBeInstanceOf(Error);
  await expect(stream.received).rejects.toThrow('reset');
  await expect(accepted.received).rejects.toThrow('reset');
  expect([client.streamCount(), served.streamCount()]).toEqual([0, 0]);
});

test('closing a mux ends the socket, which is no error for the other side', async () => {
  const [near, far] = await openSockets();
  const client = createOurMux(near, 'client');
  const served = createOurMux(far, 'server');
  await client.ping();
  client.close();
  expect([await client.closed, await served.closed]).toEqual([undefined, undefined]);
  await waitFor(() => near.destroyed && far.destroyed);
});

test('a last message arrives before the connection ends', async () => {
  const [near, far] = await openSockets();
  const client = createOurMux(near, 'client');
  const served = createOurMux(far, 'server');
  const stream = await client.open();
  await stream.send(pattern(200_000, 1));
  await stream.end();
  client.mux.closeWhenSent();
  const accepted = await served.accept();
  expect((await accepted.received).equals(pattern(200_000, 1))).toBe(true);
  expect(await served.closed).toBeUndefined();
});

test('invalid bytes close the connection with a GoAway', async () => {
  const [near, far] = await openSockets();
  const { closes } = connectByHand(far);
  const received: Buffer[] = [];
  near.on('data', (chunk) => received.push(chunk));
  near.write('GET / HTTP/1.1\r\nHost: example.org\r\n\r\n');
  await new Promise((resolve) => near.once('end', resolve));
  expect(closes).toEqual([expect.objectContaining({ name: 'ProtocolError' })]);
  expect(Buffer.concat(received)).toEqual(rawFrame({ type: frameType.goAway, length: 1 }));
});

test('an end in the middle of a frame closes the mux with an error', async () => {
  const [near, far] = await openSockets();
  const { closes } = connectByHand(far);
  near.end(rawFrame({ type: frameType.data, flags: flag.syn, streamId: 1, payload: Buffer.alloc(90) }).subarray(0, 50));
  await waitFor(() => closes.length > 0);
  expect(closes).toEqual([expect.objectContaining({ name: 'MuxClosedError' })]);
});

test('a socket that never takes the last bytes is destroyed after a time limit', () => {
  vi.useFakeTimers();
  const { socket } = createSlowSocket();
  const { mux } = connectByHand(socket);
  mux.close();
  expect(socket.destroyed).toBe(false);
  vi.runAllTimers();
  expect(socket.destroyed).toBe(true);
});

/** Two resumable muxes; `exchange` puts new sockets under them. */
function createCarriers() {
  const streams: MuxStream[] = [];
  const disconnects: string[] = [];
  const received: Buffer[] = [];
  function create(role: 'client' | 'server'): MuxCarrier {
    return new MuxCarrier({
      role,
      isResumable: true,
      monotonicMs: () => performance.now(),
      onStream(stream) {
        streams.push(stream);
        return {
          ...quiet,
          onData(chunk) {
            received.push(chunk);
            stream.consumed(chunk.length);
            stream.write(chunk);
          },
        };
      },
      onDisconnect: () => disconnects.push(role),
      onClose: () => disconnects.push(`${role} closed`),
    });
  }
  const client = create('client');
  const server = create('server');
  return {
    client,
    server,
    disconnects,
    streams,
    async exchange(): Promise<[net.Socket, net.Socket]> {
      const [near, far] = await openSockets();
      const [clientHas, serverHas] = [client.mux.receivedBytes, server.mux.receivedBytes];
      client.attach(near, serverHas);
      server.attach(far, clientHas);
      return [near, far];
    },
  };
}

test('streams go on where they were over one connection after another', async () => {
  const { client, exchange, disconnects } = createCarriers();
  let [near] = await exchange();
  const sent = pattern(8_000_000, 5);
  const echoed: Buffer[] = [];
  let echoedBytes = 0;
  const stream = client.mux.openStream({
    ...quiet,
    onData(chunk) {
      echoed.push(chunk);
      echoedBytes += chunk.length;
      stream.consumed(chunk.length);
    },
  });
  stream.write(sent);
  for (let cut = 1; cut <= 8; cut++) {
    await waitFor(() => echoedBytes > cut * 500_000);
    near.destroy();
    [near] = await exchange();
  }
  await waitFor(() => echoedBytes === sent.length);
  expect(Buffer.concat(echoed).equals(sent)).toBe(true);
  expect(disconnects.filter((each) => each.endsWith('closed'))).toEqual([]);
});

test('a mux without a connection takes streams and bytes, and they leave with the next one', async () => {
  const { client, streams, exchange, disconnects } = createCarriers();
  const [, far] = await exchange();
  far.destroy();
  await waitFor(() => disconnects.includes('client'));
  expect(client.socket).toBeUndefined();
  const stream = client.mux.openStream(quiet);
  stream.write(Buffer.from('later'));
  await exchange();
  await waitFor(() => streams.length === 1);
});

test('a peer that claims more than it was sent gets no connection, and the mux keeps its own', async () => {
  const { client, exchange } = createCarriers();
  const [near] = await exchange();
  const [other] = await openSockets();
  expect(() => client.attach(other, client.mux.receivedBytes + 1_000_000)).toThrow(ProtocolError);
  expect(client.socket).toBe(near);
});
