import { connect, createServer, type Server, type Socket } from 'node:net';
import { once } from 'node:events';
import { type AllowedTarget, connectMux, encodeOpenRequest, type Mux, type OpenKind } from '@tongtu/tunnel';
import { Forwarder } from '../forward/forwarder.ts';
import type { Resolver } from '../forward/resolve-target.ts';
import { listenOnLoopback } from './lan-service.ts';
import { RelayStream } from './relay-stream.ts';

type OpenOptions = { kind?: OpenKind; tlsName?: string | undefined; first?: Buffer; cutEvery?: number };

export type MuxPair = AsyncDisposable & {
  relay: Mux;
  forwarder: Forwarder;
  /** Opens a stream as a relay does: the request and the visitor's first bytes together. */
  open(target: AllowedTarget, options?: OpenOptions): RelayStream;
};

/** A forwarder and a relay's mux, joined by a real connection. */
export async function openMuxPair(options: { resolver?: Resolver; forwarder?: Forwarder } = {}): Promise<MuxPair> {
  const { forwarder = new Forwarder(options.resolver) } = options;
  const server: Server = createServer();
  const port = await listenOnLoopback(server);
  const agentSocket = connect(port, '127.0.0.1');
  const [relaySocket] = (await once(server, 'connection')) as [Socket]; // what a net server emits
  connectMux(agentSocket, {
    role: 'client',
    monotonicMs: () => performance.now(),
    onStream: (stream) => forwarder.accept(stream),
    onClose: () => forwarder.close(),
  });
  const relay = connectMux(relaySocket, {
    role: 'server',
    monotonicMs: () => performance.now(),
    onStream: () => {
      throw new Error('an agent opens no stream but the control stream');
    },
    onClose: () => {},
  });
  return {
    relay,
    forwarder,
    open(target, { kind = 'tcp', tlsName, first = Buffer.alloc(0), cutEvery } = {}) {
      const stream = new RelayStream(relay);
      const head = encodeOpenRequest({ ...target, kind, tlsName, visitorAddress: '203.0.113.7' });
      const bytes = Buffer.concat([head, first]);
      for (let at = 0; at < bytes.length; at += cutEvery ?? bytes.length) {
        stream.write(bytes.subarray(at, at + (cutEvery ?? bytes.length)));
      }
      return stream;
    },
    async [Symbol.asyncDispose]() {
      relay.close();
      agentSocket.destroy();
      relaySocket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
