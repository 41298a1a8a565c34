import { FileMapping } from '@tongtu/contract/mapping-file';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openTestDb } from '../../../db/open-test-db.ts';
import { insertDevice, insertHome, insertMapping, insertUser } from '../../../testing/device-fixtures.ts';
import { openTestApp } from '../../../testing/apps/open-test-app.ts';
import { registerMappingRoutes } from '../mapping-routes.ts';
import { exportMappingFile, importMappingFile } from './import-mapping-file.ts';
import { MappingFileReader } from './mapping-file-reader.ts';
import { mappingDeps } from '../../../testing/mapping-deps.ts';

async function open() {
  const parts = new AsyncDisposableStack();
  const t = parts.use(await openTestDb());
  const home = await insertHome(t.db);
  let sentCount = 0;
  const whenSentToRelays = async (): Promise<void> => void sentCount++;
  const app = parts.use(
    await openTestApp(t.db, (on) => registerMappingRoutes(on, { ...mappingDeps, db: t.db, whenSentToRelays })),
  );
  const owner = await app.browserOf(home.userId);
  const path = (deviceId: number) => `/api/user/routers/${deviceId}/mapping_file/`;
  const rows = async (deviceId = home.deviceId) =>
    await t.db.selectFrom('mapping').where('deviceId', '=', deviceId).selectAll().orderBy('id').execute();
  return {
    ...{ db: t.db, app, home, path, rows },
    sentCount: () => sentCount,
    read: async (deviceId = home.deviceId) => ((await owner.call('GET', path(deviceId))).body as { yaml: string }).yaml,
    send: async (yaml: string, given: object = {}, deviceId = home.deviceId) =>
      await owner.call('POST', path(deviceId), { yaml, dry_run: false, ...given }),
    [Symbol.asyncDispose]: async () => await parts.disposeAsync(),
  };
}

function file(...mappings: object[]): string {
  return JSON.stringify({ version: 1, mappings, count: mappings.length });
}

const nas = { prefix: 'nas', target: 'http://192.168.1.10:5000' };

test('a file adds, changes and keeps; a dry run says so first; the same file again changes nothing', async () => {
  await using it = await open();
  await insertMapping(it.db, { ...it.home, prefix: 'old' });
  await insertMapping(it.db, { ...it.home, prefix: 'nas', targetPort: 80 });
  const ssh = { port: 20_001, target: 'tcp://192.168.1.10:22', enabled: false };
  const yaml = file(nas, ssh);
  const plan = {
    added: ['tcp:20001'],
    changed: [{ address: 'nas', fields: ['target'] }],
    deleted: [],
    kept: ['old'],
    unchanged: 0,
  };
  const before = await it.rows();
  expect((await it.send(yaml, { dry_run: true })).body).toEqual(plan);
  expect(await it.rows()).toEqual(before);
  expect((await it.send(yaml)).body).toEqual(plan);
  expect(await it.rows()).toMatchObject([
    { prefix: 'old' },
    { prefix: 'nas', targetPort: 5000 },
    { port: 20_001, enabled: false },
  ]);
  const after = await it.rows();
  const nothing = { added: [], changed: [], deleted: [], kept: ['old'], unchanged: 2 };
  expect((await it.send(yaml)).body).toEqual(nothing);
  expect(await it.rows()).toEqual(after);
  expect(it.sentCount()).toBe(1);
  expect((await it.send(yaml, { delete_others: true })).body).toEqual({ ...nothing, deleted: ['old'], kept: [] });
  expect(await it.rows()).toHaveLength(2);
});

test('an access password is not exported, stays with its mapping, and cannot be set by a file', async () => {
  await using it = await open();
  await insertMapping(it.db, { ...it.home, prefix: 'nas', policy: 'password', passwordHash: 'the secret hash' });
  const yaml = await it.read();
  expect(yaml).not.toMatch(/secret|hash|password:/);
  expect((await it.send(yaml)).body).toMatchObject({ unchanged: 1, changed: [] });
  expect((await it.send(yaml.replace('policy: password', 'policy: public'))).status).toBe(200);
  expect((await it.send(yaml)).body).toMatchObject({ changed: [{ fields: ['policy'] }] });
  expect(await it.rows()).toMatchObject([{ passwordHash: 'the secret hash' }]);
  const other = await insertDevice(it.db, it.home);
  await it.db.deleteFrom('mapping').execute();
  expect(await it.send(yaml, {}, other)).toMatchObject({ status: 422, body: { code: 'mapping-file.invalid' } });
  expect((await it.send(file({ ...nas, password: 'geheim' }))).body).toMatchObject({
    errors: { yaml: [expect.stringContaining('没有这个字段')] },
  });
});

const good = 'version: 1\nmappings:\n  - prefix: nas\n    target: http://192.168.1.10:5000\n';
const row = (index: number) => `  - {prefix: p${index}, target: 'http://10.0.0.1'}\n`;

describe('a file that is refused', () => {
  let it: Awaited<ReturnType<typeof open>>;
  beforeAll(async () => {
    it = await open();
    await insertMapping(it.db, { ...it.home, prefix: 'kept' });
  });
  afterAll(async () => await it[Symbol.asyncDispose]());
  // Together they are more calls than one account may make in a minute.
  beforeEach(async () => void (await it.db.deleteFrom('rateCount').execute()));

  test.each<[string, string, RegExp]>([
    ['an unknown field', `${good}    colour: red\ncount: 1\n`, /^第 5 行：colour：没有这个字段/],
    ['a field of every object', `${good}    __proto__: {}\n    toString: 1\ncount: 1\n`, /^第 \d+ 行：.*没有这个字段/],
    ['a wrong type', `${good}    enabled: 7\ncount: 1\n`, /^第 5 行：enabled：只能是 true 或 false/],
    ['a number in place of a text', good.replace('nas', '77').concat('count: 1'), /^第 3 行：prefix：请填写文字/],
    ['a missing target', 'version: 1\nmappings:\n  - prefix: nas\ncount: 1\n', /^第 3 行：target：/],
    ['a public target', good.replace('192.168.1.10', '8.8.8.8').concat('count: 1'), /^第 3 行：target：/],
    ['a reserved prefix', good.replace('nas', 'panel').concat('count: 1'), /^第 3 行：prefix：/],
    ['a duplicate', `${good}${good.split('mappings:\n')[1]}count: 2\n`, /^第 5 行：与第 3 行的地址重复：nas/],
    ['a key twice', `${good}    prefix: nas2\ncount: 1\n`, /^第 5 行：不是有效的 YAML：同一个字段写了两次$/],
    ['a file that was cut off', good, /^第 4 行：没有 count，文件可能不完整/],
    ['a count that was cut off', `${good}${row(1).repeat(1)}count: 1\n`, /^第 6 行：count 与实际的 2 条映射不符/],
    ['a list as a key', `${good}    ? [a, b]\n    : 1\ncount: 1\n`, /^第 5 行：字段名必须是文字/],
    ['a broken quote', `${good}    remark: "half`, /^第 5 行：不是有效的 YAML/],
    ['a tab', `${good}\t- a\ncount: 1\n`, /^第 5 行：不是有效的 YAML：缩进只能用空格，不能用制表符$/],
    ['an alias', `a: &a [x]\n${good}    remark: *a\ncount: 1\n`, /^第 1 行：不支持锚点和引用/],
    ['a tag', `${good}    remark: !!js/function 'x'\ncount: 1\n`, /^第 5 行：/],
    ['two documents', `${good}count: 1\n---\n${good}`, /^第 \d+ 行：不是有效的 YAML：一个文件里/],
    ['no mapping at all', 'hello', /^第 1 行：/],
    ['nothing', '', /^第 1 行：/],
    ['deep nesting', '['.repeat(20_000), /^第 1 行：/],
    [
      'a port mapping without its port',
      file({ target: 'tcp://10.0.0.1:22' }),
      /^第 1 行：tcp 和 udp 映射必须写明公网端口/,
    ],
    [
      '2 000 rows',
      `version: 1\nmappings:\n${Array.from({ length: 2_000 }, (_, i) => row(i)).join('')}count: 2000\n`,
      /^第 503 行：一台设备最多 500 条映射/,
    ],
  ])('%s changes nothing, and the answer names the line', async (_name, yaml, message) => {
    const before = await it.rows();
    const reply = await it.send(yaml, { delete_others: true });
    expect(reply).toMatchObject({ status: 422, body: { code: 'mapping-file.invalid' } });
    const { errors } = reply.body as { errors: { yaml: string[] } };
    expect(errors.yaml[0]).toMatch(message);
    expect(new Set(errors.yaml).size).toBe(errors.yaml.length);
    expect(await it.rows()).toEqual(before);
  });

  test('a bomb of aliases is refused at once', async () => {
    const level = (name: string, of: string) => `${name}: &${name} [${Array(9).fill(`*${of}`).join(',')}]\n`;
    const bomb = `a: &a [x,x]\n${['b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'].map((name, i) => level(name, 'abcdefgh'[i] ?? '')).join('')}`;
    expect(await it.send(bomb)).toMatchObject({ status: 422, body: { code: 'mapping-file.invalid' } });
  });
});

test('other calls go on while a long file is read, and a second one waits for the first', async () => {
  const reader = new MappingFileReader();
  const rows = (count: number) => Array.from({ length: count }, (_, index) => row(index)).join('');
  const long = (count: number) => `version: 1\nmappings:\n${rows(count)}count: ${count}\n`;
  let turns = 0;
  let next: NodeJS.Immediate | undefined;
  const turn = () => {
    turns++;
    next = setImmediate(turn);
  };
  turn();
  const [whole, tooLong] = await Promise.allSettled([reader.read(1, long(400)), reader.read(2, long(2_000))]);
  clearImmediate(next);
  expect(turns).toBeGreaterThan(100);
  expect(whole).toMatchObject({
    status: 'fulfilled',
    value: expect.arrayContaining([{ line: 402, mapping: expect.objectContaining({ prefix: 'p399' }) }]),
  });
  expect(tooLong).toMatchObject({ status: 'rejected', reason: { code: 'mapping-file.invalid' } });
});

const manyKeys = (count: number) => Array.from({ length: count }, (_, index) => `k${index}: 1\n`).join('');

// Without a limit of tokens the last two reached the memory limit of the thread, and ended the process.
test.each(['k: 1\n', '[a\n', '['])('600 KB of %j are refused within the limits of a thread', async (part) => {
  const yaml = part.repeat(600_000 / part.length);
  await expect(new MappingFileReader().read(1, yaml)).rejects.toMatchObject({
    code: 'mapping-file.invalid',
    fields: { yaml: [{ zh: '第 1 行：内容过多，不是一台设备的映射' }] },
  });
});

test('a short file does not wait for the long ones of many accounts', async () => {
  const reader = new MappingFileReader();
  const ended: string[] = [];
  const read = async (userId: number, name: string, keys: number) => {
    await expect(reader.read(userId, manyKeys(keys))).rejects.toMatchObject({ code: 'mapping-file.invalid' });
    ended.push(name);
  };
  await Promise.all([...[1, 2, 3].map(async (id) => await read(id, 'long', 4_000)), read(4, 'short', 700)]);
  expect(ended.indexOf('short')).toBeLessThan(2);
});

test('an account with many files takes turns with the others, and is refused when too many wait', async () => {
  const reader = new MappingFileReader();
  const ended: string[] = [];
  const read = async (userId: number, name: string) => {
    await expect(reader.read(userId, manyKeys(700))).rejects.toMatchObject({ code: 'mapping-file.invalid' });
    ended.push(name);
  };
  const greedy = [1, 2, 3, 4].map(async (index) => await read(1, `greedy ${index}`));
  await expect(reader.read(1, manyKeys(700))).rejects.toMatchObject({ code: 'request.too-many' });
  await Promise.all([...greedy, read(2, 'innocent')]);
  expect(ended).toEqual(['greedy 1', 'greedy 2', 'innocent', 'greedy 3', 'greedy 4']);
});

test('an address that another mapping of the installation has undoes all, and names its line', async () => {
  await using it = await open();
  const userId = await insertUser(it.db, 'wang');
  const theirs = await insertDevice(it.db, { userId, serverId: it.home.serverId });
  await insertMapping(it.db, { deviceId: theirs, serverId: it.home.serverId, prefix: 'taken' });
  const yaml = `${good}  - prefix: taken\n    target: http://10.0.0.1\ncount: 2\n`;
  const reply = await it.send(yaml);
  expect(reply).toMatchObject({
    status: 422,
    body: { errors: { yaml: [expect.stringMatching(/^第 5 行：prefix：/)] } },
  });
  expect(await it.rows()).toEqual([]);
  expect(await it.send(yaml, {}, theirs)).toMatchObject({ status: 404, body: { code: 'device.not-found' } });
});

const mapping = fc.record(
  {
    target: fc.constantFrom('http://192.168.1.10:5000', 'https://nas.lan:5001', 'http://[fd00::1]:8080'),
    policy: fc.constantFrom('owner', 'public', 'closed'),
    remark: fc
      .string({ maxLength: 20, unit: 'grapheme' })
      .filter((text) => FileMapping.shape.remark.safeParse(text).data === text),
    enabled: fc.boolean(),
    pinned: fc.boolean(),
    host_header: fc.constantFrom('keep', 'rewrite'),
    visitor_fields: fc.constantFrom('send', 'omit_address', 'omit'),
    forwarded_proto: fc.constantFrom('follow_host', 'http', 'https'),
    origin_fields: fc.constantFrom('follow_host', 'keep', 'rewrite'),
    answer_timeout_s: fc.integer({ min: 10, max: 3600 }),
    silence_timeout_s: fc.integer({ min: 30, max: 86_400 }),
    opens_at: fc.constantFrom(null, '2026-11-01T00:00:00.000Z'),
    hours: fc.constantFrom(
      null,
      { days: [1, 7], from: '22:00', to: '06:00' },
      { days: [5, 2], from: '08:00', to: '24:00' },
    ),
  },
  { requiredKeys: ['target'] },
);

test('what is exported and imported again is the same, whatever the mappings are', async () => {
  await using it = await open();
  const deps = { ...mappingDeps, db: it.db, fileReader: new MappingFileReader() };
  const send = async (yaml: string) =>
    (
      await importMappingFile(
        deps,
        { ...it.home, isConfirmed: true, scopes: undefined },
        { yaml, isDryRun: false, deletesOthers: true },
      )
    ).result;
  const property = fc.asyncProperty(fc.array(mapping, { maxLength: 4 }), async (mappings) => {
    await it.db.deleteFrom('mapping').execute();
    await send(file(...mappings.map((fields, index) => ({ prefix: `m${index}`, ...fields }))));
    const yaml = await exportMappingFile(it.db, it.home);
    expect(await send(yaml)).toEqual({ added: [], changed: [], deleted: [], kept: [], unchanged: mappings.length });
    const before = (await it.rows()).map(({ id: _id, createdAt: _at, ...values }) => values);
    await it.db.deleteFrom('mapping').execute();
    expect(await send(yaml)).toMatchObject({ unchanged: 0 });
    expect((await it.rows()).map(({ id: _id, createdAt: _at, ...values }) => values)).toEqual(before);
    expect(await exportMappingFile(it.db, it.home)).toBe(yaml);
  });
  await fc.assert(property, { numRuns: 8 });
});
