import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { ConnectionLimit } from './connection-limit.ts';
import { PendingConnections } from './pending-connections.ts';

/** A connection from one port of a client. */
class Accepted extends Socket {
  override readonly remoteAddress = '203.0.113.7';
  override readonly remotePort = 40_000;
  override readonly localAddress = '192.0.2.1';
  override readonly localPort: number;
  constructor(localPort: number) {
    super();
    this.localPort = localPort;
  }
}

test('connections from one port of a client to two ports have a place each', () => {
  const pending = new PendingConnections(new ConnectionLimit({ perAddress: 1, total: 1 }));
  const [web, frpc] = [new Accepted(443), new Accepted(7000)];
  expect(pending.begin(web, '203.0.113.7')).toBe(true);
  expect(pending.rawOf(frpc)).toBeUndefined();
  pending.releaseOf(frpc)();
  expect(pending.begin(frpc, '203.0.113.7')).toBe(false);
  expect(pending.rawOf(web)).toBe(web);
});
