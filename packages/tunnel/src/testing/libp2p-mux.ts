/** The yamux of js-libp2p, the other implementation that ours is tested against. */
import { Duplex } from 'node:stream';
import type { MultiaddrConnection, Stream } from '@libp2p/interface';
import { multiaddrConnectionPair } from '@libp2p/utils';
import { yamux } from '@libp2p/yamux';
import type { TestMux, TestStream } from './compliance.ts';
import { createInbox } from './inbox.ts';

/** Their mux in the given role, and the other end of its connection as a socket. */
export function createLibp2pMux(role: 'client' | 'server'): TestMux & { socket: Duplex } {
  const [outbound, inbound] = multiaddrConnectionPair();
  // js-libp2p derives the role from the direction of the connection.
  const [theirs, ours] = role === 'client' ? [outbound, inbound] : [inbound, outbound];
  const muxer = yamux({ enableKeepAlive: false })().createStreamMuxer(theirs);
  const accepted = createInbox<TestStream>();
  muxer.addEventListener('stream', (event) => accepted.put(wrapStream(event.detail)));
  return {
    socket: toDuplex(ours),
    open: async () => wrapStream(await muxer.createStream()),
    accept: () => accepted.take(),
    ping: () => muxer.ping(),
    streamCount: () => muxer.streams.length,
    close() {
      muxer.abort(new Error('closed by the test'));
      theirs.abort(new Error('closed by the test'));
    },
  };
}

function wrapStream(stream: Stream): TestStream {
  const chunks: Buffer[] = [];
  let receivedBytes = 0;
  stream.addEventListener('message', ({ data }) => {
    const bytes = Buffer.from(data.subarray());
    chunks.push(bytes);
    receivedBytes += bytes.length;
  });
  const received = new Promise<Buffer>((resolve, reject) => {
    stream.addEventListener('end', () => {
      // Also emitted by a reset, before its 'close'.
      if (stream.status !== 'reset' && stream.status !== 'aborted') resolve(Buffer.concat(chunks));
    });
    stream.addEventListener('close', (event) => {
      if (event.error !== undefined) reject(event.error);
    });
  });
  received.catch(() => {}); // not every test awaits it
  return {
    async send(bytes) {
      if (!stream.send(bytes)) await stream.onDrain();
    },
    end: () => stream.close(),
    reset: () => stream.abort(new Error('reset by the test')),
    pause: () => stream.pause(),
    resume: () => stream.resume(),
    received,
    receivedBytes: () => receivedBytes,
  };
}

function toDuplex(connection: MultiaddrConnection): Duplex {
  const duplex = new Duplex({
    read() {},
    write(chunk: Buffer, _encoding, onWritten) {
      if (connection.send(chunk)) onWritten();
      else connection.addEventListener('drain', () => onWritten(), { once: true });
    },
    final(onFinished) {
      void connection.close().then(() => onFinished(), onFinished);
    },
  });
  connection.addEventListener('message', ({ data }) => duplex.push(Buffer.from(data.subarray())));
  connection.addEventListener('close', () => duplex.destroy());
  return duplex;
}
