import type { Duplex } from 'node:stream';
import { connectMux } from '../mux/connect-mux.ts';
import type { Mux } from '../mux/mux.ts';
import type { MuxStream, MuxStreamEvents } from '../mux/stream.ts';
import type { TestMux, TestStream } from './compliance.ts';
import { createInbox } from './inbox.ts';

export type OurTestMux = TestMux & { mux: Mux; closed: Promise<Error | undefined> };

/** Our mux on a socket, for the compliance suite. */
export function createOurMux(socket: Duplex, role: 'client' | 'server'): OurTestMux {
  const accepted = createInbox<TestStream>();
  let onClosed: (error: Error | undefined) => void = () => {};
  const closed = new Promise<Error | undefined>((resolve) => (onClosed = resolve));
  const mux = connectMux(socket, {
    role,
    monotonicMs: () => performance.now(),
    onStream(stream) {
      const { testStream, events } = wrapStream(stream);
      accepted.put(testStream);
      return events;
    },
    onClose: onClosed,
  });
  return {
    mux,
    closed,
    async open() {
      const stream = mux.openStream({ onData() {}, onEnd() {}, onReset() {}, onDrain() {} });
      const { testStream, events } = wrapStream(stream);
      stream.events = events;
      return testStream;
    },
    accept: () => accepted.take(),
    ping: () => mux.ping(),
    streamCount: () => mux.streamCount,
    close: () => mux.close(),
  };
}

function wrapStream(stream: MuxStream): { testStream: TestStream; events: MuxStreamEvents } {
  const chunks: Buffer[] = [];
  let receivedBytes = 0;
  let heldBytes = 0;
  let isPaused = false;
  let onDrained: () => void = () => {};
  let settle: { resolve: (bytes: Buffer) => void; reject: (error: Error) => void };
  const received = new Promise<Buffer>((resolve, reject) => (settle = { resolve, reject }));
  received.catch(() => {}); // not every test awaits it
  const events: MuxStreamEvents = {
    onData(chunk) {
      chunks.push(chunk);
      receivedBytes += chunk.length;
      if (isPaused) heldBytes += chunk.length;
      else stream.consumed(chunk.length);
    },
    onEnd: () => settle.resolve(Buffer.concat(chunks)),
    onReset() {
      settle.reject(new Error('reset by the peer'));
      onDrained();
    },
    onDrain: () => onDrained(),
  };
  const testStream: TestStream = {
    async send(bytes) {
      if (stream.write(bytes)) return;
      await new Promise<void>((resolve) => (onDrained = resolve));
    },
    end: async () => stream.end(),
    reset: () => stream.reset(),
    pause() {
      isPaused = true;
    },
    resume() {
      isPaused = false;
      stream.consumed(heldBytes);
      heldBytes = 0;
    },
    received,
    receivedBytes: () => receivedBytes,
  };
  return { testStream, events };
}
