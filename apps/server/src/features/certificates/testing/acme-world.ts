import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { expect } from 'vitest';
import { notify } from '../../../db/notify.ts';
import type { TestDb } from '../../../db/open-test-db.ts';
import {
  insertDevice,
  insertReadyDomain,
  insertRelay,
  insertServer,
  insertUser,
} from '../../../testing/device-fixtures.ts';
import { FakeDnsServer } from '../../../testing/fake-dns-server.ts';
import { CertificateScheduler, type SchedulerDeps } from '../certificate-scheduler.ts';
import { readEdge } from './read-edge.ts';
import { startTestAuthority, type TestAuthority } from './test-authority.ts';

export const sealingKey = Buffer.alloc(32, 2);

/** An authority, a name server, and an HTTP port that answers below /.well-known/acme-challenge/ as relays do. */
export type AcmeWorld = AsyncDisposable & {
  authority: TestAuthority;
  dns: FakeDnsServer;
  httpPort: number;
  /** The tokens that the authority requested, in order. */
  visits: string[];
  /** Makes the names resolve to this machine. */
  pointHere: (...names: string[]) => void;
  /** Restarts the authority at the same address with no accounts and orders. */
  resetAuthority: () => Promise<void>;
};

export async function openAcmeWorld(t: TestDb, options: { validitySeconds?: number } = {}): Promise<AcmeWorld> {
  await using parts = new AsyncDisposableStack();
  const dns = parts.use(await FakeDnsServer.start());
  const visits: string[] = [];
  const http = await startAnsweringPort(t, visits);
  parts.defer(async () => {
    http.closeAllConnections();
    await new Promise((resolve) => http.close(resolve));
  });
  const httpPort = (http.address() as AddressInfo).port; // it listens on TCP
  const start = async (port: number) => await startTestAuthority({ httpPort, dnsPort: dns.port, port, ...options });
  let authority = await start(0);
  parts.defer(async () => await authority[Symbol.asyncDispose]());
  const running = parts.move();
  return {
    get authority() {
      return authority;
    },
    dns,
    httpPort,
    visits,
    pointHere(...names) {
      for (const name of names) dns.set('A', name, ['127.0.0.1']);
    },
    async resetAuthority() {
      await authority[Symbol.asyncDispose]();
      authority = await start(authority.port);
    },
    [Symbol.asyncDispose]: async () => await running.disposeAsync(),
  };
}

/** Serves the key authorizations as relays do. */
async function startAnsweringPort(t: TestDb, visits: string[]): Promise<Server> {
  const http = createServer((request, response) => {
    const token = request.url?.replace('/.well-known/acme-challenge/', '') ?? '';
    visits.push(token);
    readEdge(t.db, sealingKey).then(
      ({ challenges }) => {
        const found = challenges.find((challenge) => challenge.token === token);
        response.writeHead(found ? 200 : 404).end(found?.keyAuthorization);
      },
      () => response.destroy(), // the test has ended, and its database with it
    );
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  return http;
}

export type TestSchedulerChanges = Partial<Omit<SchedulerDeps, 'acme'>> & {
  acme?: Partial<SchedulerDeps['acme']>;
  /** False: the test inserts the relay itself. */
  hasRelay?: boolean;
};

/** Starts a scheduler as a server process does. */
export async function startTestScheduler(
  t: TestDb,
  world: Pick<AcmeWorld, 'authority' | 'dns'>,
  { acme, hasRelay = true, ...changes }: TestSchedulerChanges = {},
): Promise<CertificateScheduler> {
  // Its heartbeat is later than every start of the test.
  if (hasRelay) await insertRelay(t.db, { serverId: await insertServer(t.db), silentSeconds: -3_600 });
  return await CertificateScheduler.start({
    db: t.db,
    listen: t.listen,
    log: pino({ level: 'silent' }),
    sealingKey,
    planned: [],
    version: '0.0.0',
    awaitRelays: async () => {}, // the HTTP port reads the database for each request
    acme: {
      directoryUrl: world.authority.directoryUrl,
      email: 'admin@example.com',
      externalAccount: undefined,
      dns: undefined,
      resolvers: [`127.0.0.1:${world.dns.port}`],
      ordersConsole: true,
      ...acme,
    },
    ...changes,
  });
}

let lastUser = 0;

/** Inserts a mapping with a custom domain. */
export async function insertDomain(
  t: TestDb,
  customDomain: string,
  { owner, ...changes }: { owner?: number; enabled?: boolean; kind?: 'http' | 'https'; tlsPassthrough?: boolean } = {},
): Promise<{ userId: number; mappingId: number }> {
  const userId = owner ?? (await insertUser(t.db, `user${++lastUser}`));
  const serverId = await insertServer(t.db);
  const deviceId = await insertDevice(t.db, { userId, serverId });
  const target = { kind: 'http', targetHost: '192.168.1.10', targetPort: 80 } as const;
  const { id } = await t.db
    .insertInto('mapping')
    .values({ deviceId, serverId, customDomain, ...target, policy: 'public', ...changes })
    .returning('id')
    .executeTakeFirstOrThrow();
  await insertReadyDomain(t.db, id, customDomain);
  return { userId, mappingId: id };
}

/** Sends the notification that every change of a mapping ends with. */
export async function notifyOfChange(t: TestDb): Promise<void> {
  await notify(t.db, 'device_changed', { deviceId: 1 });
}

/** Makes every certificate due now. */
export async function makeDue(t: TestDb): Promise<void> {
  await t.db.updateTable('certificate').set({ nextTryAt: new Date() }).execute();
  await notifyOfChange(t);
}

const columns = [
  'id',
  'subject',
  'names',
  'issuedNames',
  'chain',
  'notBefore',
  'notAfter',
  'nextTryAt',
  'failures',
  'problem',
  'problemDetail',
  'claim',
  'orderUrl',
  'orderKeySealed',
  'keySealed',
  'origin',
  'challenge',
  'wanted',
] as const;

export type CertificateView = Awaited<ReturnType<typeof readCertificates>>[number];

export async function readCertificates(t: TestDb) {
  return await t.db.selectFrom('certificate').select(columns).orderBy('id').execute();
}

/** Waits until the certificate's row passes `accept`. When it fails, the error shows the row and its problem. */
export async function whenCertificate(
  t: TestDb,
  subject: string,
  accept: (row: CertificateView) => boolean,
): Promise<CertificateView> {
  let found: CertificateView | undefined;
  await expect
    .poll(async () => (found = (await readCertificates(t)).find((row) => row.subject === subject)), {
      interval: 50,
      timeout: 50_000,
    })
    .toSatisfy((row: CertificateView | undefined) => row !== undefined && accept(row));
  return found!; // the poll saw it
}
