import { initialOptions, type Visit, type VisitList, type VisitRecord } from '@tongtu/contract';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openTestDb, type TestDb } from '../../db/open-test-db.ts';
import { openTestApp } from '../../testing/apps/open-test-app.ts';
import { insertHome, insertMapping, insertRelay, insertUser } from '../../testing/device-fixtures.ts';
import { registerMappingRoutes } from '../mappings/index.ts';
import { mappingDeps } from '../../testing/mapping-deps.ts';
import { registerVisitRoutes } from './visit-routes.ts';
import { deleteExcessVisits, deleteOldVisits } from './visit-store.ts';
import { storeVisits } from './store-visits.ts';

const served: Omit<VisitRecord, 'mappingId'> = {
  ...{ atMs: 0, ms: 12, address: '203.0.113.7', grounds: 'public', outcome: 'served', reason: '', method: 'GET' },
  ...{
    path: '/photos',
    userAgent: 'Mozilla/5.0 (Windows NT 10.0) Chrome/140.0',
    status: 200,
    bytesIn: 10,
    bytesOut: 20,
  },
};

/** An owner with a mapping that has a log, and the relay that reports to it. */
async function openLog(t: TestDb) {
  const home = await insertHome(t.db);
  await insertRelay(t.db, { ...home, id: 'r1' });
  const mappingId = await insertMapping(t.db, { ...home, prefix: 'nas' });
  const app = await openTestApp(t.db, (on) => {
    registerMappingRoutes(on, { ...mappingDeps, db: t.db });
    registerVisitRoutes(on, { db: t.db });
  });
  const owner = await app.browserOf(home.userId);
  const path = `/api/user/records/${mappingId}/visits/`;
  await owner.call('PATCH', `/api/user/records/${mappingId}/`, { visit_log_days: 7 });
  let sequence = 0;
  return {
    ...{ app, owner, mappingId, path },
    report: async (records: Partial<VisitRecord>[], unrecorded = { denied: 0, others: 0 }, given: object = {}) =>
      await storeVisits(t.db, {
        ...{ relayId: 'r1', bootId: 'boot', sequence: ++sequence, unrecorded: [{ mappingId, ...unrecorded }] },
        records: records.map((record) => ({ ...served, mappingId, atMs: Date.now(), ...record })),
        ...given,
      }),
    list: async (query = '') => (await owner.call('GET', `${path}${query}`)).body as VisitList,
    [Symbol.asyncDispose]: async () => await app[Symbol.asyncDispose](),
  };
}

const pathsOf = ({ results }: { results: Visit[] }) => results.map((visit) => visit.path);

test('a mapping has no log until its owner switches it on, and then the owner alone reads it', async () => {
  await using t = await openTestDb();
  await using log = await openLog(t);
  expect(initialOptions.visitLogDays).toBe(0);
  await log.report([{}]);

  expect(await log.list()).toMatchObject({
    mapping: { kind: 'http', domain: 'nas.localhost' },
    visit_log_days: 7,
    has_more: false,
    results: [{ ip: '203.0.113.7', who: 'public', path: '/photos', status: 200, browser: 'Chrome · Windows' }],
  });
  const other = await log.app.browserOf(await insertUser(t.db, 'other'));
  for (const [method, path] of [
    ['GET', log.path],
    ['GET', `${log.path}export/`],
    ['DELETE', log.path],
  ] as const)
    expect(await other.call(method, path)).toMatchObject({ status: 404, body: { code: 'mapping.not-found' } });
  expect(await log.list()).toMatchObject({ results: [{}] });

  await log.owner.call('PATCH', `/api/user/records/${log.mappingId}/`, { visit_log_days: 0 });
  await log.report([{ path: '/off' }]);
  expect(await log.list()).toMatchObject({ visit_log_days: 0, results: [] });
  await log.owner.call('PATCH', `/api/user/records/${log.mappingId}/`, { visit_log_days: 30 });
  expect(await log.list()).toMatchObject({ results: [] });
});

test('a visit is named by the verification that let it in, or as a program of the owner, and filtered, searched and followed', async () => {
  await using t = await openTestDb();
  await using log = await openLog(t);
  const { rows } = await sql<{ id: number }>`
    insert into verification (mapping_id, host, visitor_ip, user_agent, expires_at, kind, granted_by, who, visitor_network,
      owner_id, device_id, cookie_expires_at)
    select mapping.id, 'nas.localhost', '::1', '', now(), 'cookie', 'member', 'lily', '::1', device.user_id, device.id, now()
    from mapping join device on device.id = mapping.device_id returning id`.execute(t.db);
  await log.report([
    { grounds: 'verified', verificationId: rows[0]!.id, path: '/a', method: 'POST', status: 503 },
    { grounds: 'verified', verificationId: 999, path: '/b%' },
    { grounds: 'none', outcome: 'denied', reason: 'needs-verification', path: '/c', status: 302 },
    { grounds: 'owner', whoName: 'tt-0123456789.laptop', method: 'TCP', path: '', status: null },
  ]);

  const { results } = await log.list();
  expect(results.shift()).toMatchObject({ method: 'TCP', who: 'owner', who_name: 'tt-0123456789.laptop' });
  expect(results).toMatchObject([
    { path: '/c', who: 'none', outcome: 'denied', reason: 'needs-verification' },
    { path: '/b%', who: 'unknown' },
    { path: '/a', who: 'member', who_name: 'lily' },
  ]);
  expect(pathsOf(await log.list('?who=member'))).toEqual(['/a']);
  expect(pathsOf(await log.list('?result=5xx'))).toEqual(['/a']);
  expect(pathsOf(await log.list('?result=denied'))).toEqual(['/c']);
  expect(pathsOf(await log.list('?method=POST'))).toEqual(['/a']);
  expect(pathsOf(await log.list('?search=%25'))).toEqual(['/b%']);
  expect(pathsOf(await log.list('?search=LILY'))).toEqual(['/a']);
  expect(await log.list('?limit=2')).toMatchObject({ has_more: true });
  expect(pathsOf(await log.list(`?limit=2&before=${results[1]!.id}`))).toEqual(['/a']);
  expect(pathsOf(await log.list(`?after=${results[1]!.id}`))).toEqual(['', '/c']);
  await log.report([{ grounds: 'none', path: '/%E7%85%A7%E7%89%87' }]);
  expect(pathsOf(await log.list(`?search=${encodeURIComponent('照片')}`))).toEqual(['/%E7%85%A7%E7%89%87']);
  for (const query of ['?who=me', '?result=9xx', '?method=get', '?after=x', `?search=${'x'.repeat(101)}`])
    expect(await log.owner.call('GET', `${log.path}${query}`)).toMatchObject({ status: 422 });
});

test('what visitors send is kept harmless: no control, hidden or broken characters, and no formula in the CSV file', async () => {
  await using t = await openTestDb();
  await using log = await openLog(t);
  await log.report([
    {
      ...{ path: '/<b>\u0000\u202E', userAgent: '=HYPERLINK("http://x")\uD800\r\n', address: '\u0000', method: 'GET' },
      ...{ outcome: 'denied', reason: 'closed-by-owner', status: 403 },
    },
  ]);

  expect(await log.list()).toMatchObject({
    results: [{ path: '/<b>', user_agent: '=HYPERLINK("http://x")\uFFFD', ip: '', place: '' }],
  });
  const { text } = await log.owner.call('GET', `${log.path}export/`);
  const [head, line] = text.split('\r\n');
  expect(head).toContain('时间（UTC）,IP,地点');
  expect(line).toContain(`"'=HYPERLINK(""http://x"")`);
  expect(line).toContain(',公开访问,,被拒绝,禁止访问,GET,/<b>,403,10,20,12,');
});

test('a report counts once, what was not recorded is added up, and a mapping keeps its latest visits', async () => {
  await using t = await openTestDb();
  await using log = await openLog(t);
  await log.report([{ path: '/1' }, { path: '/2' }], { denied: 5, others: 1 });
  await log.report([{ path: '/again' }], { denied: 1, others: 1 }, { sequence: 1 });
  await log.report([{ path: '/3' }, { path: '/deleted', mappingId: 999 }], { denied: 2, others: 0 });

  expect(await log.list()).toMatchObject({ unrecorded: { denied: 7, others: 1 } });
  expect(pathsOf(await log.list())).toEqual(['/3', '/2', '/1']);
  await deleteExcessVisits(t.db, log.mappingId, 2);
  expect(pathsOf(await log.list())).toEqual(['/3', '/2']);
  await sql`update visit set at = at - interval '8 days' where path = '/2'`.execute(t.db);
  expect(pathsOf(await log.list())).toEqual(['/3']);
  await deleteOldVisits(t.db);
  expect((await log.owner.call('DELETE', log.path)).body).toEqual({ deleted: 1 });
  expect(await log.list()).toMatchObject({ results: [], unrecorded: { denied: 0, others: 0 } });

  await log.report([{}]);
  await log.owner.call('DELETE', `/api/user/records/${log.mappingId}/`);
  expect((await sql`select from visit`.execute(t.db)).rows).toEqual([]);
});
