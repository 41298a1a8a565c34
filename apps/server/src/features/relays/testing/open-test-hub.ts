import type { AddressInfo } from 'node:net';
import { AppError, type PresenceEvent } from '@tongtu/contract';
import { pino } from 'pino';
import { expect } from 'vitest';
import type { TestDb } from '../../../db/open-test-db.ts';
import { openTestApp } from '../../../testing/apps/open-test-app.ts';
import { enrolDevice } from '../../devices/index.ts';
import { claimFrpcLogin, markSpeaksV2 } from '../../frpc-devices/index.ts';
import { registerRelayControl } from '../relay-control-routes.ts';
import { RelayHub, type RelayHubDeps } from '../relay-hub.ts';

/** The secret with which a relay authenticates. */
export const relaySecret = 'a secret of at least 32 characters';

/** Opens a server with a relay hub on a port. `changes` replace dependencies of the hub. */
export async function openTestHub(t: TestDb, changes: Partial<RelayHubDeps> = {}) {
  await using parts = new AsyncDisposableStack();
  const claimToken = async (): Promise<undefined> => undefined;
  const hub = await RelayHub.start({
    db: t.db,
    listen: t.listen,
    log: pino({ level: 'silent' }),
    gateKey: Buffer.alloc(32, 1),
    sourceKey: Buffer.alloc(32),
    sealingKey: Buffer.alloc(32, 2),
    consoleUrl: 'http://localhost:8080',
    homeSuffix: 'localhost',
    defaultBandwidthBps: null,
    enrol: async (enrolment) => await enrolDevice({ db: t.db, claimToken }, enrolment),
    redeem: async () => await Promise.reject(new AppError('gate.ticket-invalid')),
    mark: async () => await Promise.reject(new AppError('gate.window-over')),
    noteAttempt: () => {},
    onEnrolRefused: async () => {},
    logInFrpc: async () => await Promise.reject(new AppError('frpc.login-unknown')),
    claimFrpcLogin: async (login) => await claimFrpcLogin(t.db, login),
    onFrpcProven: async (deviceId) => await markSpeaksV2(t.db, deviceId),
    applyFrpcProxy: async () => await Promise.reject(new AppError('device.not-found')),
    ...changes,
  });
  const app = parts.use(await openTestApp(t.db, (on) => registerRelayControl(on, { hub, relaySecret })));
  parts.use(hub);
  await app.app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.app.server.address() as AddressInfo;
  const running = parts.move();
  return { hub, port, [Symbol.asyncDispose]: async () => await running.disposeAsync() };
}

/** The event by which a relay reports that a device is online. */
export function online(deviceId: number, epoch = 1): PresenceEvent {
  const facts = { publicIp: '203.0.113.7', agentVersion: '0.1.0', platform: 'linux-x64' };
  return { online: true, deviceId, epoch, atMs: 1_763_712_000_000, ...facts };
}

/** Waits until the presence of the only device matches. */
export async function whenPresent(
  t: TestDb,
  expected: { online: boolean; offlineReason?: string | null },
): Promise<void> {
  await expect
    .poll(async () => await t.db.selectFrom('devicePresence').select(['online', 'offlineReason']).executeTakeFirst(), {
      interval: 20,
    })
    .toMatchObject(expected);
}
