import { MAX_EDGE_CERTIFICATES, type ServerToRelay } from '@tongtu/contract';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openTestDb, type TestDb } from '../../db/open-test-db.ts';
import { seal } from '../../db/sealing.ts';
import { captureLog } from '../../testing/capture-log.ts';
import { EdgeLine } from './edge-line.ts';
import { insertCertificate, sealingKey } from './testing/insert-certificate.ts';

/** A relay that takes each message when the test has looked at it. */
function openLine(t: TestDb, look: (message: ServerToRelay) => Promise<void> | void = () => {}) {
  const { log, lines } = captureLog();
  const told: ServerToRelay[] = [];
  let arrived = Promise.withResolvers<void>();
  const line = new EdgeLine({ db: t.db, log, sealingKey }, async (message) => {
    told.push(message);
    arrived.resolve();
    arrived = Promise.withResolvers();
    await look(message);
  });
  /** Resolves when the last message is of this type. */
  const untilLast = async (type: ServerToRelay['type']): Promise<void> => {
    while (told.at(-1)?.type !== type) await arrived.promise;
  };
  return { line, lines, told, untilLast, [Symbol.asyncDispose]: async () => await line[Symbol.asyncDispose]() };
}

function idsOf(messages: ServerToRelay[]): number[] {
  return messages.flatMap((message) =>
    message.type === 'certificates' ? message.certificates.map(({ id }) => id) : [],
  );
}

test('many certificates come in messages of about a megabyte, then which of all are shown', async () => {
  await using t = await openTestDb();
  for (let index = 0; index < 30; index++)
    await insertCertificate(t, `n${index}.example.com`, { chain: 'c'.repeat(100_000) });
  await using relay = openLine(t);
  relay.line.tellAll();
  await relay.untilLast('certificates_kept');
  const all = Array.from({ length: 30 }, (_, index) => index + 1);
  expect(relay.told.map(({ type }) => type)).toEqual([
    ...['edge', 'certificates', 'certificates', 'certificates'],
    'certificates_kept',
  ]);
  expect(idsOf(relay.told)).toEqual(all);
  expect(relay.told.at(-1)).toEqual({ type: 'certificates_kept', ids: all });
  for (const message of relay.told) expect(JSON.stringify(message).length).toBeLessThan(1.1 * 1024 * 1024);
});

test('an answer to the authority overtakes the certificates that are yet to be told, and none is told twice', async () => {
  await using t = await openTestDb();
  for (const name of ['a', 'b', 'c']) await insertCertificate(t, name, { chain: 'c'.repeat(800_000) });
  const answer = { token: 'token', keyAuthorization: 'token.thumbprint' };
  await using relay = openLine(t, async (message) => {
    if (message.type !== 'certificates' || message.certificates[0]?.id !== 1) return;
    const expiresAt = new Date(Date.now() + 60_000);
    await t.db
      .insertInto('acmeChallenge')
      .values({ ...answer, certificateId: 1, expiresAt })
      .execute();
    relay.line.tellChanges();
  });
  relay.line.tellAll();
  await relay.untilLast('certificates_kept');
  expect(relay.told.map(({ type }) => type)).toEqual([
    ...['edge', 'certificates', 'edge', 'certificates', 'certificates'],
    'certificates_kept',
  ]);
  expect(relay.told[2]).toMatchObject({ edge: { challenges: [answer] } });
  expect(idsOf(relay.told)).toEqual([1, 2, 3]);
});

test('a change tells only what it changed', async () => {
  await using t = await openTestDb();
  for (const name of ['a', 'b', 'c']) await insertCertificate(t, name);
  await using relay = openLine(t);
  relay.line.tellAll();
  await relay.untilLast('certificates_kept');
  relay.told.length = 0;

  await t.db.deleteFrom('certificate').where('subject', '=', 'a').execute();
  await insertCertificate(t, 'd');
  relay.line.tellChanges();
  await relay.untilLast('certificates_kept');
  expect(idsOf(relay.told)).toEqual([4]);
  expect(relay.told.at(-1)).toEqual({ type: 'certificates_kept', ids: [2, 3, 4] });
  relay.told.length = 0;

  const keySealed = seal(sealingKey, 'another key', 'certificate:b');
  await t.db.updateTable('certificate').set({ chain: 'renewed', keySealed }).where('subject', '=', 'b').execute();
  relay.line.tellChanges();
  await relay.untilLast('certificates');
  expect(relay.told.at(-1)).toMatchObject({ certificates: [{ id: 2, cert: 'renewed', key: 'another key' }] });
  expect(idsOf(relay.told)).toEqual([2]);
});

test('a relay that asks anew is told everything anew', async () => {
  await using t = await openTestDb();
  await insertCertificate(t, 'a');
  await using relay = openLine(t);
  relay.line.tellAll();
  await relay.untilLast('certificates_kept');
  const first = relay.told.splice(0);
  relay.line.tellAll();
  await relay.untilLast('certificates_kept');
  expect(relay.told).toEqual(first);
});

test('a key that cannot be opened keeps no other certificate back', async () => {
  await using t = await openTestDb();
  for (const name of ['a', 'b']) await insertCertificate(t, name);
  const keySealed = seal(Buffer.alloc(32, 3), 'key', 'certificate:a');
  await t.db.updateTable('certificate').set({ keySealed }).where('subject', '=', 'a').execute();
  await using relay = openLine(t);
  relay.line.tellAll();
  await relay.untilLast('certificates_kept');
  expect(idsOf(relay.told)).toEqual([2]);
  expect(relay.lines).toMatchObject([{ subject: 'a', msg: 'the key of a certificate cannot be opened' }]);
});

test('beyond the maximum the youngest certificates are left out, which is logged; those of the console are not', async () => {
  await using t = await openTestDb();
  await sql`
    insert into certificate (subject, names, origin, challenge, issued_names, issued_by, chain, key_sealed, not_before, not_after)
    select 'n' || n, array['n' || n], case when n = ${MAX_EDGE_CERTIFICATES + 2} then 'console' else 'custom_domain' end,
      'http-01', array['n' || n], 'ca', 'chain', 'sealed'::bytea, now() - interval '1 day', now() + interval '1 day'
    from generate_series(1, ${MAX_EDGE_CERTIFICATES + 2}::int) as n`.execute(t.db);
  await using relay = openLine(t);
  relay.line.tellAll();
  await relay.untilLast('certificates_kept');
  const last = relay.told.at(-1);
  const ids = last?.type === 'certificates_kept' ? last.ids : [];
  expect(ids).toHaveLength(MAX_EDGE_CERTIFICATES);
  expect(ids[0]).toBe(MAX_EDGE_CERTIFICATES + 2);
  expect(ids.at(-1)).toBe(MAX_EDGE_CERTIFICATES - 1);
  expect(relay.lines).toContainEqual(
    expect.objectContaining({ leftOut: 2, msg: 'more certificates than are sent to relays' }),
  );
});
