/** What every yamux implementation must do with every other one. Runs with a connected pair. */
import { afterEach, describe, expect, test } from 'vitest';

const POLL_MS = 2;

export type TestStream = {
  /** Resolves when more can be sent. */
  send(bytes: Buffer): Promise<void>;
  /** Ends our direction after the sent data. */
  end(): Promise<void>;
  reset(): void;
  /** Gives no window back until `resume`. */
  pause(): void;
  resume(): void;
  /** All received bytes, when the peer has ended; rejects when it resets. */
  received: Promise<Buffer>;
  /** The number of bytes received so far. */
  receivedBytes(): number;
};

export type TestMux = {
  open(): Promise<TestStream>;
  /** The next stream that the peer opened, in order. */
  accept(): Promise<TestStream>;
  ping(): Promise<number>;
  streamCount(): number;
  close(): void;
};

export type TestPair = { client: TestMux; server: TestMux; close(): void };

export function describeCompliance(name: string, createPair: () => TestPair): void {
  describe(name, () => {
    let pair: TestPair | undefined;
    function setUp(): TestPair {
      pair = createPair();
      return pair;
    }
    afterEach(() => pair?.close());

    for (const [opener, acceptor] of [
      ['client', 'server'],
      ['server', 'client'],
    ] as const) {
      test(`a stream that the ${opener} opens carries bytes both ways`, async () => {
        const { near, far } = await openStream(setUp(), opener, acceptor);
        await far.send(Buffer.from('answer'));
        await Promise.all([near.end(), far.end()]);
        expect((await far.received).toString()).toBe('question');
        expect((await near.received).toString()).toBe('answer');
      });

      test(`after the ${opener} has ended, the ${acceptor} may still send`, async () => {
        const { near, far } = await openStream(setUp(), opener, acceptor);
        await near.end();
        expect((await far.received).toString()).toBe('question');
        await sendAll(far, pattern(1_000_000, 3));
        expect((await near.received).equals(pattern(1_000_000, 3))).toBe(true);
      });

      test(`the ${acceptor} may end first`, async () => {
        const { near, far } = await openStream(setUp(), opener, acceptor);
        await sendAll(far, pattern(1000, 3));
        expect((await near.received).equals(pattern(1000, 3))).toBe(true);
        await sendAll(near, pattern(1_000_000, 4));
        expect((await far.received).subarray(8).equals(pattern(1_000_000, 4))).toBe(true);
      });

      test(`a reset by the ${opener} reaches the ${acceptor} and frees both sides`, async () => {
        const muxes = setUp();
        const { near, far } = await openStream(muxes, opener, acceptor);
        near.reset();
        await expect(far.received).rejects.toThrow();
        await waitFor(() => muxes.client.streamCount() === 0 && muxes.server.streamCount() === 0);
      });

      test(`many windows of data arrive unchanged at the ${acceptor}`, async () => {
        const muxes = setUp();
        const near = await muxes[opener].open();
        const sent = sendAll(near, pattern(2_000_000, 1));
        const far = await muxes[acceptor].accept();
        await Promise.all([sent, sendAll(far, pattern(1_500_000, 2))]);
        expect((await far.received).equals(pattern(2_000_000, 1))).toBe(true);
        expect((await near.received).equals(pattern(1_500_000, 2))).toBe(true);
      });
    }

    test('many streams at once do not mix their bytes', async () => {
      const { client, server } = setUp();
      const streams = await Promise.all(Array.from({ length: 100 }, () => client.open()));
      const sent = streams.map((stream, index) => sendAll(stream, pattern(20_000 + index, index)));
      const accepted = await Promise.all(streams.map(() => server.accept()));
      const received = await Promise.all(accepted.map((stream) => stream.received));
      await Promise.all([...sent, ...accepted.map((stream) => stream.end())]);
      expect(received.map((bytes) => bytes.length).toSorted((a, b) => a - b)).toEqual(
        streams.map((_, index) => 20_000 + index),
      );
      expect(received.every((bytes) => bytes.equals(pattern(bytes.length, bytes.length - 20_000)))).toBe(true);
    });

    test('streams that both sides have ended are removed', async () => {
      const { client, server } = setUp();
      for (let i = 0; i < 20; i++) {
        const near = await client.open();
        await sendAll(near, pattern(100, i));
        const far = await server.accept();
        await sendAll(far, pattern(100, i));
        await Promise.all([near.received, far.received]);
      }
      await waitFor(() => client.streamCount() === 0 && server.streamCount() === 0);
    });

    test('a stream that ends without a byte is accepted and ended', async () => {
      const { client, server } = setUp();
      const near = await client.open();
      await near.end();
      const far = await server.accept();
      expect(await far.received).toHaveLength(0);
    });

    test('both sides answer pings', async () => {
      const { client, server } = setUp();
      expect(await client.ping()).toBeGreaterThanOrEqual(0);
      expect(await server.ping()).toBeGreaterThanOrEqual(0);
    });

    test('a receiver that stops reading stops its own stream only', async () => {
      const { client, server } = setUp();
      const stalled = await client.open();
      const sending = sendAll(stalled, pattern(3_000_000, 7));
      const stalledFar = await server.accept();
      stalledFar.pause();
      const lively = await client.open();
      const livelySent = sendAll(lively, pattern(2_000_000, 8));
      const livelyFar = await server.accept();
      expect((await livelyFar.received).equals(pattern(2_000_000, 8))).toBe(true);
      expect(stalledFar.receivedBytes()).toBeLessThan(3_000_000);
      stalledFar.resume();
      expect((await stalledFar.received).equals(pattern(3_000_000, 7))).toBe(true);
      await Promise.all([sending, livelySent]);
    });

    test('closing one mux resets the streams at the other side', async () => {
      const muxes = setUp();
      const { far } = await openStream(muxes, 'client', 'server');
      const reset = far.received.catch((error: unknown) => error);
      muxes.client.close();
      await reset;
      await waitFor(() => muxes.server.streamCount() === 0);
    });
  });
}

/** A stream on which `question` was sent, seen from both ends. */
async function openStream(pair: TestPair, opener: 'client' | 'server', acceptor: 'client' | 'server') {
  const near = await pair[opener].open();
  await near.send(Buffer.from('question'));
  const far = await pair[acceptor].accept();
  return { near, far };
}

async function sendAll(stream: TestStream, bytes: Buffer): Promise<void> {
  const PIECE_BYTES = 50_000;
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) await stream.send(bytes.subarray(at, at + PIECE_BYTES));
  await stream.end();
}

/** Bytes that show their position and stream. The period is prime, so that a shift by a frame is noticed. */
export function pattern(length: number, seed: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  for (let i = 0; i < length; i++) bytes[i] = ((i % 65_521) * 31 + seed * 17) & 0xff;
  return bytes;
}

/** Resolves when the condition holds; otherwise the test's time limit ends it. */
export async function waitFor(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, POLL_MS));
}
