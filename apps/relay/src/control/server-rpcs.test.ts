import { type FrpcProxy, MAX_RELAY_CALLS, type RelayToServer } from '@tongtu/contract';
import { expect, test } from 'vitest';
import { ServerRpcs } from './server-rpcs.ts';

type Sent = Extract<RelayToServer, { correlation: number }>;

const proxy: FrpcProxy = { name: 'web', type: 'http', remotePort: 0, domains: [], subdomain: 'web', hostRewrite: '' };

test.each(['frpc_login', 'frpc_claim', 'frpc_proxy'] as const)(
  'when a fleet comes after a power cut, calls of type %s wait, and the server gets no more at once than it takes',
  async (type) => {
    const open: Sent[] = [];
    const rpcs = new ServerRpcs(60_000, (message) => open.push(message as Sent) > 0); // only calls are sent here
    const calls: Record<typeof type, () => Promise<unknown>> = {
      frpc_login: () => rpcs.logInFrpc({ user: 'tt-0', key: '', timestamp: 1, wire: 'v1', hostName: '' }),
      frpc_claim: () => rpcs.claimFrpcLogin({ deviceId: 1, timestamp: 1, wire: 'v1' }),
      frpc_proxy: () => rpcs.applyFrpcProxy({ deviceId: 1, proxy, keptMappingIds: [] }),
    };
    const results = Promise.allSettled(Array.from({ length: 300 }, () => calls[type]()));
    let isDone = false;
    void results.then(() => (isDone = true));
    let most = 0;
    let count = 0;
    while (!isDone) {
      most = Math.max(most, open.length);
      for (const { correlation } of open.splice(0)) {
        count++;
        rpcs.onReply({ type: `${type}_result`, correlation, result: { ok: false, code: 'frpc.login-unknown' } });
      }
      await new Promise(setImmediate);
    }
    expect(count).toBe(300);
    expect(most).toBeLessThanOrEqual(MAX_RELAY_CALLS[type]);
    expect(most).toBeGreaterThan(20);
  },
);
