import { MAX_EDGE_CERTIFICATES, type ServerToRelay } from '@tongtu/contract';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openTestDb, type TestDb } from '../../../db/open-test-db.ts';
import { seal } from '../../../db/sealing.ts';
import { captureLog } from '../../../testing/capture-log.ts';
import { EdgeSender } from './edge-sender.ts';
import { insertCertificate, sealingKey } from '../testing/insert-certificate.ts';

/** Opens a sender whose messages are collected. Each is delivered when `onMessage` has resolved. */
function openSender(t: TestDb, onMessage: (message: ServerToRelay) => Promise<void> | void = () => {}) {
  const { log, lines } = captureLog();
  const sent: ServerToRelay[] = [];
  let arrived = Promise.withResolvers<void>();
  const sender = new EdgeSender({ db: t.db, log, sealingKey }, async (message) => {
    sent.push(message);
    arrived.resolve();
    arrived = Promise.withResolvers();
    await onMessage(message);
  });
  /** Resolves when the last message is of this type. */
  const untilLast = async (type: ServerToRelay['type']): Promise<void> => {
    while (sent.at(-1)?.type !== type) await arrived.promise;
  };
  return { sender, lines, sent, untilLast, [Symbol.asyncDispose]: async () => await sender[Symbol.asyncDispose]() };
}

function idsOf(messages: ServerToRelay[]): number[] {
  return messages.flatMap((message) =>
    message.type === 'certificates' ? message.certificates.map(({ id }) => id) : [],
  );
}

test('many certificates are sent in messages of about a megabyte, followed by the ids of all', async () => {
  await using t = await openTestDb();
  for (let index = 0; index < 30; index++)
    await insertCertificate(t, `n${index}.example.com`, { chain: 'c'.repeat(100_000) });
  await using relay = openSender(t);
  relay.sender.sendAll();
  await relay.untilLast('certificates_kept');
  const all = Array.from({ length: 30 }, (_, index) => index + 1);
  expect(relay.sent.map(({ type }) => type)).toEqual([
    ...['edge', 'certificates', 'certificates', 'certificates'],
    'certificates_kept',
  ]);
  expect(idsOf(relay.sent)).toEqual(all);
  expect(relay.sent.at(-1)).toEqual({ type: 'certificates_kept', ids: all });
  for (const message of relay.sent) expect(JSON.stringify(message).length).toBeLessThan(1.1 * 1024 * 1024);
});

test('an ACME answer is sent before the remaining certificates, and no certificate is sent twice', async () => {
  await using t = await openTestDb();
  for (const name of ['a', 'b', 'c']) await insertCertificate(t, name, { chain: 'c'.repeat(800_000) });
  const answer = { token: 'token', keyAuthorization: 'token.thumbprint' };
  await using relay = openSender(t, async (message) => {
    if (message.type !== 'certificates' || message.certificates[0]?.id !== 1) return;
    const expiresAt = new Date(Date.now() + 60_000);
    await t.db
      .insertInto('acmeChallenge')
      .values({ ...answer, certificateId: 1, expiresAt })
      .execute();
    relay.sender.sendChanges();
  });
  relay.sender.sendAll();
  await relay.untilLast('certificates_kept');
  expect(relay.sent.map(({ type }) => type)).toEqual([
    ...['edge', 'certificates', 'edge', 'certificates', 'certificates'],
    'certificates_kept',
  ]);
  expect(relay.sent[2]).toMatchObject({ edge: { challenges: [answer] } });
  expect(idsOf(relay.sent)).toEqual([1, 2, 3]);
});

test('only changed certificates are sent after a change', async () => {
  await using t = await openTestDb();
  for (const name of ['a', 'b', 'c']) await insertCertificate(t, name);
  await using relay = openSender(t);
  relay.sender.sendAll();
  await relay.untilLast('certificates_kept');
  relay.sent.length = 0;

  await t.db.deleteFrom('certificate').where('subject', '=', 'a').execute();
  await insertCertificate(t, 'd');
  relay.sender.sendChanges();
  await relay.untilLast('certificates_kept');
  expect(idsOf(relay.sent)).toEqual([4]);
  expect(relay.sent.at(-1)).toEqual({ type: 'certificates_kept', ids: [2, 3, 4] });
  relay.sent.length = 0;

  const keySealed = seal(sealingKey, 'another key', 'certificate:b');
  await t.db.updateTable('certificate').set({ chain: 'renewed', keySealed }).where('subject', '=', 'b').execute();
  relay.sender.sendChanges();
  await relay.untilLast('certificates');
  expect(relay.sent.at(-1)).toMatchObject({ certificates: [{ id: 2, cert: 'renewed', key: 'another key' }] });
  expect(idsOf(relay.sent)).toEqual([2]);
});

test('sendAll sends everything again', async () => {
  await using t = await openTestDb();
  await insertCertificate(t, 'a');
  await using relay = openSender(t);
  relay.sender.sendAll();
  await relay.untilLast('certificates_kept');
  const first = relay.sent.splice(0);
  relay.sender.sendAll();
  await relay.untilLast('certificates_kept');
  expect(relay.sent).toEqual(first);
});

test('a key that cannot be opened does not block other certificates', async () => {
  await using t = await openTestDb();
  for (const name of ['a', 'b']) await insertCertificate(t, name);
  const keySealed = seal(Buffer.alloc(32, 3), 'key', 'certificate:a');
  await t.db.updateTable('certificate').set({ keySealed }).where('subject', '=', 'a').execute();
  await using relay = openSender(t);
  relay.sender.sendAll();
  await relay.untilLast('certificates_kept');
  expect(idsOf(relay.sent)).toEqual([2]);
  expect(relay.lines).toMatchObject([{ subject: 'a', msg: 'the key of a certificate cannot be opened' }]);
});

test('beyond the maximum the youngest certificates, except the console’s, are left out, which is logged', async () => {
  await using t = await openTestDb();
  const keys = Array.from({ length: MAX_EDGE_CERTIFICATES + 2 }, (_, index) =>
    seal(sealingKey, 'key', `certificate:n${index + 1}`),
  );
  await sql`
    insert into certificate (subject, names, origin, challenge, issued_names, issued_by, chain, key_sealed, not_before, not_after)
    select 'n' || n, array['n' || n], case when n = ${MAX_EDGE_CERTIFICATES + 2} then 'console' else 'custom_domain' end,
      'http-01', array['n' || n], 'ca', 'chain', key, now() - interval '1 day', now() + interval '1 day'
    from unnest(${keys}::bytea[]) with ordinality as sealed (key, n)`.execute(t.db);
  await using relay = openSender(t);
  relay.sender.sendAll();
  await relay.untilLast('certificates_kept');
  const last = relay.sent.at(-1);
  const ids = last?.type === 'certificates_kept' ? last.ids : [];
  expect(ids).toHaveLength(MAX_EDGE_CERTIFICATES);
  expect(ids[0]).toBe(MAX_EDGE_CERTIFICATES + 2);
  expect(ids.at(-1)).toBe(MAX_EDGE_CERTIFICATES - 1);
  expect(relay.lines).toContainEqual(
    expect.objectContaining({ leftOut: 2, msg: 'more certificates than are sent to relays' }),
  );
});
