import net from 'node:net';
import { Duplex } from 'node:stream';
import type { GatewaySession } from '@tongtu/contract';
import { type LiveSession, SessionEndedError } from '../../sessions/live-session.ts';

export type TestSession = LiveSession & {
  keptHostKeys: string[];
  facts: GatewaySession;
  streams: Duplex[];
  touches: () => number;
};

type Facts = Partial<Omit<GatewaySession, 'options' | 'port'>> & {
  port: number;
  kind: GatewaySession['kind'];
  options?: Partial<GatewaySession['options']>;
};

/** A session whose target is on this machine. Its streams have none of a socket's own methods. */
export function testSession({ options, ...facts }: Facts): TestSession {
  const ended = new AbortController();
  const keptHostKeys: string[] = [];
  const streams: Duplex[] = [];
  let touches = 0;
  return {
    facts: {
      sessionId: 1,
      appId: 1,
      host: '127.0.0.1',
      secrets: {},
      hostKey: null,
      isOwner: true,
      visitorAddress: '192.0.2.1',
      ...facts,
      options: { username: '', domain: '', path: '', encoding: 'utf-8', tls: false, ...options },
    },
    openStream() {
      const stream = plainDuplex(facts.port);
      streams.push(stream);
      return stream;
    },
    signal: ended.signal,
    touch: () => void touches++,
    touches: () => touches,
    onIdleWarning: () => () => {},
    end: (reason) => ended.abort(new SessionEndedError(reason)),
    keepHostKey: (fingerprint) => void keptHostKeys.push(fingerprint),
    keptHostKeys,
    streams,
  };
}

function plainDuplex(port: number): Duplex {
  const socket = net.connect({ port, host: '127.0.0.1', noDelay: true });
  const duplex = new Duplex({
    read: () => void socket.resume(),
    write: (chunk, _encoding, done) => void socket.write(chunk as Buffer, done), // nothing is decoded
    final: (done) => void socket.end(done),
    destroy: (error, done) => {
      socket.destroy();
      done(error);
    },
  });
  socket.on('data', (chunk) => {
    if (!duplex.push(chunk)) socket.pause();
  });
  socket.on('end', () => duplex.push(null));
  socket.on('error', (error) => duplex.destroy(error));
  socket.on('close', () => duplex.destroy());
  return duplex;
}
