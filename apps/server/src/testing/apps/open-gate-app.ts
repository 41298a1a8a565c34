import type { CheckReply, VerificationRecord } from '@tongtu/contract';
import { expect } from 'vitest';
import type { TestDb } from '../../db/open-test-db.ts';
import { insertHome, insertMapping, insertPresence, insertRelay } from '../device-fixtures.ts';
import { hashCheaply } from '../hash-cheaply.ts';
import { openTestApp, type TestBrowser } from './open-test-app.ts';
import { registerAccessRequestRoutes } from '../../features/access-requests/index.ts';
import { registerDeviceRoutes } from '../../features/devices/index.ts';
import { registerMappingRoutes } from '../../features/mappings/index.ts';
import { registerRefusedVisitRoutes } from '../../features/refused-visits/index.ts';
import { registerSharingRoutes } from '../../features/sharing/index.ts';
import { hashQueued, verifyPassword } from '../../features/users/index.ts';
import { markGroundsRevoked, registerVerificationRoutes } from '../../features/verifications/index.ts';
import { redeemTicket, registerGateRoutes, type Verification } from '../../features/gate/index.ts';
import { noChecks } from '../no-checks.ts';

const place = { publicUrl: 'http://localhost:8080', tlsPort: 8443 };
/** Visitors are not redirected to https. */
export const noHttps = { redirectsToHttps: false, hasCertificate: async (): Promise<boolean> => false };
const sealingKey = Buffer.alloc(32, 2);

/** Inserts an owner with an online device and the mapping `nas`, and opens the calls of access and devices. */
export async function openGateApp(t: TestDb, mapping: { policy?: 'owner' | 'password'; password?: string } = {}) {
  const { db } = t;
  const home = await insertHome(db);
  const passwordHash = mapping.password === undefined ? undefined : await hashCheaply(mapping.password);
  const { policy = 'owner' } = mapping;
  const mappingId = await insertMapping(db, { ...home, prefix: 'nas', policy, ...(passwordHash && { passwordHash }) });
  await insertRelay(db, home);
  await insertPresence(db, { deviceId: home.deviceId });
  const gate = { db, ...place, ...noHttps, allowedPorts: [8080], verifyPassword, wallClockMs: Date.now };
  const app = await openTestApp(db, (on) => {
    registerGateRoutes(on, gate);
    registerAccessRequestRoutes(on, { db });
    registerSharingRoutes(on, { db, ...place, sealingKey, phoneRegions: ['86'] });
    registerVerificationRoutes(on, { db, placeOf: () => '' });
    registerRefusedVisitRoutes(on, { db, placeOf: () => '' });
    registerDeviceRoutes(on, {
      ...{ ...place, db, version: '0.1.0', defaultBandwidthBps: null, monotonicMs: () => performance.now() },
      ...noChecks,
    });
    registerMappingRoutes(on, {
      ...{ ...place, db, hashPassword: hashQueued, ownPrefixes: new Set<string>(), ownDomains: [] },
      endPasswordProofs: async (tx, id) => await markGroundsRevoked(tx, { mappingId: id, grantedBy: 'password' }),
      ...{ publicPorts: { from: 20_000, to: 20_010 }, domainProofKey: Buffer.alloc(32, 3), resolveTxt: async () => [] },
      checkDomain: async () => {},
      whenSentToRelays: async () => {},
    });
  });
  const owner = await app.browserOf(home.userId);
  return {
    ...home,
    mappingId,
    app,
    owner,
    records: async (): Promise<VerificationRecord[]> => {
      const { body } = await owner.call('GET', '/api/user/verifications/');
      return (body as { results: VerificationRecord[] }).results;
    },
    /** Redeems a ticket as the relay does for a browser that shows the proof `held`. */
    redeem: async (ticket: string, held?: { verificationId: number }): Promise<Verification> => {
      const visitor = { host: 'nas.localhost', visitorIp: '203.0.113.9', userAgent: 'Firefox' };
      return await redeemTicket(db, { ticket, ...visitor, verificationId: held?.verificationId });
    },
    [Symbol.asyncDispose]: async () => await app[Symbol.asyncDispose](),
  };
}

/** Calls the check page's API for the mapping `nas`. */
export async function check(browser: TestBrowser, share?: string): Promise<CheckReply> {
  const query = new URLSearchParams({ url: 'http://nas.localhost:8080/x', ...(share !== undefined && { share }) });
  const reply = await browser.call('GET', `/custom/check/?${query.toString()}`);
  expect(reply.status).toBe(200);
  return reply.body as CheckReply;
}

/** The ticket in the URL to which the check page redirects. */
export function ticketOf({ redirect = '' }: CheckReply): string {
  const ticket = new URL(redirect).searchParams.get('ticket');
  if (ticket === null) throw new Error('no ticket');
  return ticket;
}
