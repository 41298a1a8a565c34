import { RuleTester } from 'oxlint/plugins-dev';
import { describe, test } from 'vitest';
import { kyselyExecute } from './kysely-execute.ts';

RuleTester.describe = describe;
RuleTester.it = test;

const forgotten = { errors: [{ messageId: 'forgotten' }] };

new RuleTester({ languageOptions: { parserOptions: { lang: 'ts' } } }).run('kysely-execute', kyselyExecute, {
  valid: [
    `async function f(db) { await db.deleteFrom('session').where('id', '=', 1).execute(); }`,
    `async function f(db) { return await db.selectFrom('device').select('id').executeTakeFirst(); }`,
    `async function f(db) { return db.selectFrom('device').select('id').executeTakeFirstOrThrow(); }`,
    `const text = db.selectFrom('device').compile();`,
    `async function f(db) { for await (const row of db.selectFrom('device').stream()) use(row); }`,
    // A part of a query, for others to finish.
    `function visible(db) { return db.selectFrom('device').where('enabled', '=', true); }`,
    `const busy = (eb) => eb.selectFrom('mapping').select('deviceId');`,
    `async function f(db, eb) { await db.selectFrom('device').where((eb) => eb.exists(eb.selectFrom('mapping'))).execute(); }`,
    `let query = db.selectFrom('device'); query = query.where('id', '=', 1); await query.execute();`,
    `await db.insertInto('a').columns(['x']).expression(db.selectFrom('b').select('x')).execute();`,
    `await sql\`select 1\`.execute(db);`,
    `await db.selectFrom('device').select(sql\`now()\`.as('now')).execute();`,
    `map.deleteFrom('x');`,
  ],
  invalid: [
    { code: `async function f(db) { await db.deleteFrom('session').where('id', '=', 1); }`, ...forgotten },
    { code: `db.updateTable('device').set({ enabled: false }).where('id', '=', 1);`, ...forgotten },
    { code: `void deps.db.insertInto('device').values({});`, ...forgotten },
    { code: `async function f(tx) { return tx.selectFrom('device').select('id'); }`, ...forgotten },
    { code: `const f = async (trx) => trx.selectFrom('device').select('id');`, ...forgotten },
    { code: `class A { #db; async f() { await this.#db.deleteFrom('session'); } }`, ...forgotten },
    { code: `await Promise.all([db.deleteFrom('a'), 1]);`, ...forgotten },
    { code: `await db.with('x', (q) => q.selectFrom('y')).insertInto('z').values({});`, ...forgotten },
    { code: `async function f(db) { await (db.selectFrom('device').select('id')!); }`, ...forgotten },
    { code: 'async function f() { await sql`select 1`; }', ...forgotten },
  ],
});
