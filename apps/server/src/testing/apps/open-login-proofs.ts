import type { VerificationRecord } from '@tongtu/contract';
import type { TestDb } from '../../db/open-test-db.ts';
import { registerAccountRoutes } from '../../features/account-data/index.ts';
import { redeemTicket, registerGateRoutes } from '../../features/gate/index.ts';
import { registerLoginRoutes } from '../../features/login/index.ts';
import { registerSessionRoutes } from '../../features/sessions/index.ts';
import { verifyPassword } from '../../features/users/index.ts';
import { registerVerificationRoutes } from '../../features/verifications/index.ts';
import { insertDevice, insertMapping, insertPresence, insertRelay, insertServer } from '../device-fixtures.ts';
import { insertAccount, testKeys } from './open-account-app.ts';
import { openTestApp, type TestBrowser } from './open-test-app.ts';
import { check, noHttps, ticketOf } from './open-gate-app.ts';

const publicUrl = 'http://localhost:8080';

/** Inserts the account `li` with a device and the mapping `nas`, and opens the calls about its logins and proofs. */
export async function openLoginProofs({ db }: TestDb) {
  const userId = await insertAccount(db);
  const serverId = await insertServer(db);
  const deviceId = await insertDevice(db, { userId, serverId });
  const mappingId = await insertMapping(db, { deviceId, serverId, prefix: 'nas' });
  await insertRelay(db, { serverId });
  await insertPresence(db, { deviceId });
  const app = await openTestApp(db, (on) => {
    const deps = { ...testKeys, db, publicUrl, billing: 'off' as const, phoneRegions: ['86'] };
    registerLoginRoutes(on, deps);
    registerAccountRoutes(on, deps);
    registerSessionRoutes(on, { db });
    registerVerificationRoutes(on, { db, placeOf: () => '' });
    const place = { publicUrl, tlsPort: 8443, allowedPorts: [8080], ...noHttps };
    registerGateRoutes(on, { db, ...place, verifyPassword, wallClockMs: Date.now });
  });
  const redeem = async (ticket: string) =>
    await redeemTicket(db, { ticket, host: 'nas.localhost', visitorIp: '203.0.113.9', userAgent: 'Firefox' });
  return {
    ...{ app, userId, deviceId, mappingId, redeem },
    browserOf: async () => await app.browserOf(userId),
    /** Gets a proof at the gate. Returns its id. */
    enter: async (browser: TestBrowser): Promise<number> =>
      (await redeem(ticketOf(await check(browser)))).verificationId,
    /** Verifies the address. Returns the proof's id. */
    allow: async (browser: TestBrowser, ip: string): Promise<number> => {
      const url = `/api/user/records/${mappingId}/verified_ip/`;
      const { body } = await browser.call('POST', url, undefined, { 'x-forwarded-for': ip });
      return (body as VerificationRecord).id;
    },
    /** Ids of the proofs that are not revoked. */
    validProofs: async (): Promise<number[]> => {
      const rows = await db
        .selectFrom('verification')
        .where('revokedAt', 'is', null)
        .select('id')
        .orderBy('id')
        .execute();
      return rows.map(({ id }) => id);
    },
    sessionId: async (browser: TestBrowser): Promise<number> => {
      const { body } = await browser.call('GET', '/api/user/sessions/');
      const own = (body as { id: number; is_current: boolean }[]).find((session) => session.is_current);
      if (own === undefined) throw new Error('not logged in');
      return own.id;
    },
    [Symbol.asyncDispose]: async () => await app[Symbol.asyncDispose](),
  };
}
