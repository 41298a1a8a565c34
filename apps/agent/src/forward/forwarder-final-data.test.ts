import { createHash, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { expect, test, vi } from 'vitest';
import { countUndelivered, type LanService, listenOnLoopback, startLanService } from '../testing/lan-service.ts';
import { type MuxPair, openMuxPair } from '../testing/mux-pair.ts';
import { selfSigned } from '../testing/self-signed.ts';

const KB = 1024;
const WINDOW_BYTES = 256 * KB;
const STATUS_BYTES = 1;
const isLinux = process.platform === 'linux';
const target = (port: number) => ({ mappingId: 1, host: '127.0.0.1', port, transport: 'tcp' as const });

/** Waits until the callbacks of the current turn of the event loop have run. */
const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

/** A service that has answered and then reset, and a relay that reads less than its window of the answer. */
async function breakUnderSlowRelay(pair: MuxPair, service: LanService, bytes: number) {
  pair.forwarder.setTargets([target(service.port)]);
  const stream = pair.open(target(service.port));
  stream.isReading = false;
  const socket = await service.nextSocket();
  const answer = randomBytes(bytes);
  socket.write(answer);
  await stream.whenReceived(WINDOW_BYTES - STATUS_BYTES);
  await expect.poll(() => countUndelivered(service.port)).toBe(0);
  service.resetLast();
  await nextTurn();
  return { stream, answer };
}

// Some bytes wait in the mux, others in the paused socket or in the system.
test.runIf(isLinux).each([400, 560])('%s KB sent before a reset reach a relay that is slow to read', async (size) => {
  await using service = await startLanService(() => {});
  await using pair = await openMuxPair();
  const { stream, answer } = await breakUnderSlowRelay(pair, service, size * KB);

  stream.startReading();

  await stream.reset;
  expect(stream.digest()).toBe(createHash('sha256').update(answer).digest('hex'));
  expect(pair.forwarder.openCount).toBe(0);
});

test.runIf(isLinux)('a relay that does not read the final data is not waited for without end', async () => {
  await using service = await startLanService(() => {});
  await using pair = await openMuxPair();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const { stream } = await breakUnderSlowRelay(pair, service, 400 * KB);
    for (let turn = 0; turn < 10; turn++) await nextTurn();
    expect(pair.forwarder.openCount).toBe(1);

    // A visitor may be slow.
    vi.advanceTimersByTime(55_000);
    for (let turn = 0; turn < 10; turn++) await nextTurn();
    expect(pair.forwarder.openCount).toBe(1);
    vi.advanceTimersByTime(5_000);

    await stream.reset;
    expect(stream.receivedBytes).toBe(WINDOW_BYTES - STATUS_BYTES);
  } finally {
    vi.useRealTimers();
  }
});

test.each(['tcp', 'tls'] as const)(
  '%s: an answer is read although a write failed with the reset first',
  async (kind) => {
    const certificate = kind === 'tls' ? await selfSigned('nas.lan') : undefined;
    await using service = await startLanService(() => {}, certificate ? { certificate } : {});
    await using pair = await openMuxPair();
    pair.forwarder.setTargets([target(service.port)]);
    for (let round = 0; round < 10; round++) {
      const before = service.sockets.length;
      const stream = pair.open(target(service.port), { kind, first: Buffer.from('POST') });
      await expect.poll(() => service.sockets.length).toBe(before + 1);
      const socket = await service.nextSocket();
      // The handshake is complete, so a write reaches the system at once.
      socket.write('100');
      await stream.whenReceived(3);
      await nextTurn();

      // The next bytes of the upload are sent to the agent before the answer and the reset.
      stream.write(Buffer.from('more of the upload'));
      await nextTurn();
      socket.write('413');
      service.resetLast();

      await stream.reset;
      expect(stream.text).toBe('100413');
    }
    expect(pair.forwarder.openCount).toBe(0);
  },
);

test('the answer of a web server that refuses an upload half way always arrives', async () => {
  const web = createServer((request, response) => {
    request.once('data', () => {
      response.writeHead(413, { connection: 'close', 'content-length': '9' }).end('too large');
    });
  });
  const port = await listenOnLoopback(web);
  await using pair = await openMuxPair();
  pair.forwarder.setTargets([target(port)]);
  const head = 'POST / HTTP/1.1\r\nHost: nas\r\nContent-Length: 5242880\r\n\r\n';
  for (let round = 0; round < 20; round++) {
    const stream = pair.open(target(port), { first: Buffer.from(head) });
    const closed = Promise.race([stream.ended, stream.reset]);
    void stream.writeAll(Array.from({ length: 48 }, () => Buffer.alloc(64 * KB)));
    await closed;
    expect(stream.text).toMatch(/^HTTP\/1\.1 413 [^]*too large$/);
    stream.stream.reset();
  }
  await new Promise((resolve) => web.close(resolve));
});
