import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { RefusedVisit, VerificationRecord } from '@tongtu/contract';
import dayjs from 'dayjs';
import type { Window } from 'happy-dom';
import { useLocation } from 'react-router';
import { afterEach, expect, test } from 'vitest';
import { ApiError } from '../../api/index.ts';
import { deviceOf, mappingOf } from '../../testing/device-fixtures.ts';
import { show } from '../../testing/show.tsx';
import { setUpTimes } from '../../text/time.ts';
import { RecordsPage } from './records-page.tsx';

setUpTimes();
afterEach(() => {
  cleanup();
  setWidth(1024);
});

function setWidth(width: number): void {
  const { happyDOM } = window as unknown as Window; // vitest's environment types its window as a browser's
  happyDOM.setViewport({ width });
}

const list = 'GET /api/user/verifications/';
const extend = 'PATCH /api/user/verifications/{id}/';
const revoke = 'DELETE /api/user/verifications/{id}/';
const devices = 'GET /api/user/routers/';
const deleted = 'GET /api/user/verifications/deleted/';
const patchDevice = 'PATCH /api/user/routers/{id}/';
const hourMs = 3_600_000;
const device = deviceOf({ mappings: [mappingOf()], allow_list: ['198.51.100.9'] });

function recordOf(id: number, given: Partial<VerificationRecord> = {}): VerificationRecord {
  return {
    id,
    mapping: 3,
    mapping_deleted: false,
    router: 7,
    router_deleted: false,
    router_name: '家里的群晖',
    kind: 'cookie',
    granted_by: 'owner',
    who: '',
    place: '',
    host: 'nas.localhost',
    port: null,
    ip: `203.0.113.${id}`,
    user_agent: '',
    browser: '',
    created_at: new Date(Date.now() - hourMs).toISOString(),
    expires_at: new Date(Date.now() + hourMs).toISOString(),
    revoked_at: null,
    ...given,
  };
}

const pageOf = <Item,>(results: Item[], count = results.length) => ({ count, next: null, previous: null, results });

function Place() {
  const { pathname, search } = useLocation();
  return <output>{decodeURIComponent(pathname + search)}</output>;
}

function open(answers: Parameters<typeof show>[1], at = '/record') {
  const page = (
    <>
      <RecordsPage />
      <Place />
    </>
  );
  return show(page, { [devices]: () => pageOf([device]), [deleted]: () => [], ...answers }, { at });
}

const queries = (calls: ReturnType<typeof show>) =>
  calls.filter(({ key }) => key === list).map(({ input }) => (input as { query: object }).query);
const card = (name: string) => screen.findByLabelText(name);

test.each([
  ['a table', 1280, 1],
  ['cards', 360, 0],
])('%s shows visitor, network, address, grounds and end of each record', async (_layout, width, tables) => {
  setWidth(width);
  open({
    [list]: () =>
      pageOf([
        recordOf(1, { who: '张三', granted_by: 'member', place: '浙江 杭州', browser: 'Opera · Linux' }),
        recordOf(2, { kind: 'ip', granted_by: 'mark_client', host: 'localhost', port: 20_000 }),
        recordOf(3, { expires_at: '2026-01-01T00:00:00.000Z' }),
        recordOf(4, { revoked_at: '2026-01-01T00:00:00.000Z' }),
      ]),
  });
  const member = await card('张三（203.0.113.1）');
  await within(member).findByText('家里的群晖');
  for (const words of ['成员登录', '浙江 杭州', 'Opera · Linux', 'nas.localhost', '有效', '1 小时前'])
    within(member).getByText(words);
  const client = await card('203.0.113.2');
  for (const words of ['放行程序', '按 IP 放行', 'localhost:20000']) within(client).getByText(words);
  within(await card('203.0.113.3')).getByText('已过期');
  within(await card('203.0.113.4')).getByText('已撤销');
  expect(screen.getAllByLabelText(/^撤销/)).toHaveLength(2);
  expect(screen.queryAllByRole('table')).toHaveLength(tables);
});

test('filters are written to the address and sent to the server', async () => {
  const calls = open({ [list]: () => pageOf([recordOf(1)]) }, '/record?mapping=3&page=2');
  await card('203.0.113.1');
  expect(queries(calls)).toEqual([{ limit: 20, offset: 20, mapping: 3 }]);
  fireEvent.click(screen.getByText('已过期'));
  await screen.findByText('/record?state=expired&mapping=3');
  fireEvent.change(screen.getByLabelText('搜索 IP、域名或名称'), { target: { value: ' 张三 ' } });
  await waitFor(() =>
    expect(queries(calls).at(-1)).toEqual({ limit: 20, offset: 0, mapping: 3, state: 'expired', search: '张三' }),
  );
});

test('the list has page numbers, and requests the second page', async () => {
  const calls = open({ [list]: () => pageOf([recordOf(1)], 41) });
  await screen.findByText('共 41 条');
  fireEvent.click(screen.getByRole('listitem', { name: '2' }));
  await screen.findByText('/record?page=2');
  expect(queries(calls).at(-1)).toEqual({ limit: 20, offset: 20 });
});

const refusedList = 'GET /api/user/verifications/refused/';

function refusalOf(id: number, given: Partial<RefusedVisit> = {}): RefusedVisit {
  return {
    id,
    mapping: 3,
    mapping_deleted: false,
    router: 7,
    router_deleted: false,
    router_name: '家里的群晖',
    host: 'nas.localhost',
    reason: 'not_allowed',
    who: '',
    ip: `198.51.100.${id}`,
    place: '',
    user_agent: '',
    browser: '',
    count: 1,
    first_at: new Date(Date.now() - hourMs).toISOString(),
    last_at: new Date(Date.now() - hourMs).toISOString(),
    ...given,
  };
}

test.each([
  ['a table', 1280, 1],
  ['cards', 360, 0],
])('%s shows who was refused, where, why, how often and when last', async (_layout, width, tables) => {
  setWidth(width);
  open(
    {
      [refusedList]: () =>
        pageOf([
          refusalOf(1, { who: '王五', place: '浙江 杭州', browser: 'Opera · Linux', count: 3 }),
          refusalOf(2, { reason: 'password_wrong', mapping_deleted: true }),
          refusalOf(3, { reason: 'share_ended' }),
          refusalOf(4, { reason: 'right_ended' }),
        ]),
    },
    '/record?view=refused',
  );
  const account = await card('王五（198.51.100.1）');
  const shown = ['账号没有权限', '3 次', '1 小时前', '浙江 杭州', 'Opera · Linux', 'nas.localhost', '家里的群晖'];
  for (const words of shown) within(account).getByText(words);
  const ofPassword = await card('198.51.100.2');
  for (const words of ['访问密码不正确', '1 次', '地址已删除']) within(ofPassword).getByText(words);
  within(await card('198.51.100.3')).getByText('分享链接已失效');
  within(await card('198.51.100.4')).getByText('账号的权限已经结束');
  expect(screen.queryAllByRole('table')).toHaveLength(tables);
});

test('refused visits are a view of their own, which keeps device, mapping and search', async () => {
  const calls = open(
    { [list]: () => pageOf([recordOf(1)]), [refusedList]: () => pageOf([refusalOf(2)]) },
    '/record?state=active&mapping=3&q=nas&page=2',
  );
  await card('203.0.113.1');
  expect(screen.getByLabelText('搜索 IP、域名或名称')).toHaveProperty('value', 'nas');
  fireEvent.click(screen.getByText('被拒绝的访问'));
  await card('198.51.100.2');
  screen.getByText('/record?view=refused&mapping=3&q=nas');
  expect(screen.queryByLabelText('按状态筛选')).toBeNull();
  expect(screen.queryByLabelText('按验证方式筛选')).toBeNull();
  expect(calls.filter(({ key }) => key === refusedList).map(({ input }) => input)).toMatchObject([
    { query: { limit: 20, offset: 0, mapping: 3, search: 'nas' } },
  ]);
  fireEvent.click(screen.getByText('允许的访问'));
  await card('203.0.113.1');
  screen.getByText('/record?mapping=3&q=nas');
});

test('without refused visits the view says so; clearing its filters stays in it', async () => {
  open({ [refusedList]: () => pageOf([]) }, '/record?view=refused');
  await screen.findByText('没有被拒绝的访问');
  cleanup();
  open({ [refusedList]: () => pageOf([]) }, '/record?view=refused&q=x');
  fireEvent.click(await screen.findByText('清除条件'));
  await screen.findByText('没有被拒绝的访问');
  screen.getByText('/record?view=refused');
});

test('an empty list explains itself; with filters it offers to clear them', async () => {
  open({ [list]: () => pageOf([]) });
  await screen.findByText('还没有验证记录');
  cleanup();
  open({ [list]: () => pageOf([]) }, '/record?state=active&q=x');
  fireEvent.click(await screen.findByText('清除条件'));
  await screen.findByText('/record');
});

test('a single filter can be removed by its own button', async () => {
  open({ [list]: () => pageOf([]) }, '/record?by=share');
  fireEvent.click(await screen.findByRole('button', { name: '清除此条件' }));
  await screen.findByText('/record');
});

test('a page beyond the last one redirects to the first', async () => {
  open({ [list]: () => pageOf([], 3) }, '/record?page=9');
  fireEvent.click(await screen.findByText('回到第一页'));
  await screen.findByText('/record');
});

test('a list that failed to load says so, and can be loaded again', async () => {
  let isBroken = true;
  open({ [list]: () => (isBroken ? Promise.reject(new Error('broken')) : pageOf([recordOf(1)])) });
  await screen.findByText('验证记录加载失败');
  isBroken = false;
  fireEvent.click(screen.getByText('重试'));
  await card('203.0.113.1');
});

test('revoking asks first, says what remains possible, and the list shows the result', async () => {
  let record = recordOf(1, { granted_by: 'share', who: '给妈妈' });
  const calls = open({
    [list]: () => pageOf([record]),
    [revoke]: () => {
      record = { ...record, revoked_at: new Date().toISOString() };
      return { ok: true };
    },
  });
  fireEvent.click(await screen.findByLabelText('撤销 给妈妈（203.0.113.1）'));
  await screen.findByText(/如果分享链接还有效/);
  expect(calls.filter(({ key }) => key === revoke)).toEqual([]);
  fireEvent.click(within(screen.getByRole('dialog')).getByText('撤销'));
  await screen.findByText('已撤销 给妈妈（203.0.113.1） 的访问');
  within(await card('给妈妈（203.0.113.1）')).getByText('已撤销');
  expect(calls.filter(({ key }) => key === revoke).map(({ input }) => input)).toEqual([{ params: { id: 1 } }]);
});

test('a record can be extended by a day, a week or any time', async () => {
  const until = new Date(2026, 10, 29, 16, 43).toISOString();
  const calls = open({ [list]: () => pageOf([recordOf(1)]), [extend]: () => recordOf(1, { expires_at: until }) });
  const sent = () => calls.filter(({ key }) => key === extend).map(({ input }) => input);
  fireEvent.click(await screen.findByLabelText('延长 203.0.113.1'));
  fireEvent.click(await screen.findByText('从现在起 7 天'));
  await screen.findByText(/^有效期至 (2026-)?11-29 16:43$/);

  fireEvent.click(screen.getByLabelText('延长 203.0.113.1'));
  fireEvent.click(await screen.findByText('自定义…'));
  const dialog = await screen.findByRole('dialog');
  fireEvent.change(within(dialog).getByLabelText('时长'), { target: { value: '366' } });
  fireEvent.click(within(dialog).getByRole('button', { name: '延长' }));
  await screen.findByText('请输入 1–365 的整数（天）');
  fireEvent.change(within(dialog).getByLabelText('时长'), { target: { value: '３０' } });
  fireEvent.click(within(dialog).getByRole('button', { name: '延长' }));
  await waitFor(() => expect(sent()).toHaveLength(2));
  expect(sent()).toEqual([
    { params: { id: 1 }, body: { extend_hours: 168 } },
    { params: { id: 1 }, body: { extend_hours: 720 } },
  ]);
});

test('an address is added to its device’s allow-list, unless it is there already', async () => {
  const calls = open({
    [list]: () => pageOf([recordOf(1), recordOf(2, { ip: '198.51.100.9' })]),
    [patchDevice]: () => device,
  });
  fireEvent.click(await screen.findByLabelText('更多操作 203.0.113.1'));
  fireEvent.click(await screen.findByText('加入访问白名单'));
  const dialog = await screen.findByRole('dialog');
  expect(dialog.textContent).toContain('把 203.0.113.1 加入“家里的群晖”的访问白名单？');
  fireEvent.click(within(dialog).getByRole('button', { name: '加入访问白名单' }));
  await screen.findByText('203.0.113.1 已加入访问白名单');
  expect(calls.filter(({ key }) => key === patchDevice).map(({ input }) => input)).toEqual([
    { params: { id: 7 }, body: { allow_list: ['198.51.100.9', '203.0.113.1'] } },
  ]);
  fireEvent.click(screen.getByLabelText('更多操作 198.51.100.9'));
  const listed = (await screen.findByText('已在访问白名单中')).closest('[role=menuitem]');
  expect(listed?.getAttribute('aria-disabled')).toBe('true');
});

test('entries added to the allow-list during the question are kept', async () => {
  let allowList = ['198.51.100.9'];
  const calls = open({
    [list]: () => pageOf([recordOf(1)]),
    [devices]: () => pageOf([{ ...device, allow_list: allowList }]),
    [patchDevice]: () => device,
  });
  fireEvent.click(await screen.findByLabelText('更多操作 203.0.113.1'));
  fireEvent.click(await screen.findByText('加入访问白名单'));
  const dialog = await screen.findByRole('dialog');
  allowList = ['198.51.100.9', '192.0.2.0/24'];
  fireEvent.click(within(dialog).getByRole('button', { name: '加入访问白名单' }));
  await screen.findByText('203.0.113.1 已加入访问白名单');
  expect(calls.find(({ key }) => key === patchDevice)?.input).toMatchObject({
    body: { allow_list: ['198.51.100.9', '192.0.2.0/24', '203.0.113.1'] },
  });
});

test('a record of a deleted address says so, and offers only what is still possible', async () => {
  const deletedMapping = { mapping: 4, mapping_deleted: true } as const;
  open({
    [list]: () =>
      pageOf([
        recordOf(1, { ...deletedMapping, router: 9, router_deleted: true, router_name: '旧路由器' }),
        recordOf(2, { ...deletedMapping, revoked_at: '2026-11-01T00:00:00.000Z' }),
        recordOf(3, { ...deletedMapping, router: 10, router_deleted: true, router_name: '' }),
        recordOf(4),
      ]),
  });
  const ofDeletedDevice = await card('203.0.113.1');
  within(ofDeletedDevice).getByText('地址已删除');
  within(ofDeletedDevice).getByText('旧路由器（已删除）');
  expect(within(ofDeletedDevice).queryAllByRole('button')).toEqual([]);
  const ofDeletedMapping = await card('203.0.113.2');
  within(ofDeletedMapping).getByText('地址已删除');
  within(ofDeletedMapping).getByText('家里的群晖');
  await within(ofDeletedMapping).findByLabelText('更多操作 203.0.113.2');
  expect(within(ofDeletedMapping).queryAllByLabelText(/^(延长|撤销)/)).toEqual([]);
  within(await card('203.0.113.3')).getByText('已删除的设备');
  expect(within(await card('203.0.113.4')).queryByText('地址已删除')).toBeNull();
});

/** Opens a select and returns its lines. */
function openList(label: string): () => (string | null)[] {
  fireEvent.mouseDown(screen.getByLabelText(label));
  const last = [...document.querySelectorAll('.ant-select-dropdown')].at(-1);
  return () => [...(last?.querySelectorAll('.ant-select-item') ?? [])].map((each) => each.textContent);
}

const deletedRow = {
  kind: 'http',
  domain: 'cam.localhost',
  port: null,
  router: 9,
  router_name: '旧路由器',
  router_deleted: true,
  deleted_at: '2020-11-01T02:03:04.000Z',
} as const;
const time = (at: string, format: string) => dayjs(at).format(format);

test('deleted devices and mappings are listed by their last name, below the existing ones', async () => {
  open(
    {
      [list]: () => pageOf([recordOf(1)]),
      [deleted]: () => [
        { ...deletedRow, id: 12 },
        { ...deletedRow, id: 11, kind: 'tcp', port: 20_001 },
        { ...deletedRow, id: 10, router: 7, router_name: '家里的群晖', router_deleted: false, domain: 'old.localhost' },
      ],
    },
    '/record?device=9&mapping=11',
  );
  await screen.findByText('已删除：旧路由器');
  await screen.findByText('已删除：tcp://cam.localhost:20001');
  const routers = openList('按设备筛选');
  await waitFor(() => expect(routers()).toEqual(['家里的群晖', '已删除', '旧路由器']));
  expect(openList('按域名映射筛选')()).toEqual(['已删除', 'cam.localhost', 'tcp://cam.localhost:20001']);
  cleanup();
  open({ [list]: () => pageOf([recordOf(1)]), [deleted]: () => [] }, '/record?device=9');
  await screen.findByText('已删除的设备');
});

test('deleted mappings of one name are distinguished by their time, with seconds if necessary', async () => {
  const [first, second, third] = ['2020-11-01T02:03:04.000Z', '2020-11-01T02:03:05.000Z', '2020-11-02T02:03:04.000Z'];
  open(
    {
      [list]: () => pageOf([recordOf(1)]),
      [deleted]: () => [
        { ...deletedRow, id: 14, deleted_at: third },
        { ...deletedRow, id: 13, deleted_at: second, router: 8 },
        { ...deletedRow, id: 12, deleted_at: first },
        { ...deletedRow, id: 11, domain: 'old.localhost' },
      ],
    },
    '/record?mapping=14',
  );
  await screen.findByText(`${time(third, 'YYYY-MM-DD HH:mm')} 删除：cam.localhost`);
  const mappings = openList('按域名映射筛选');
  await waitFor(() => expect(mappings()).toHaveLength(6));
  expect(mappings().slice(1)).toEqual([
    '已删除',
    `cam.localhost（删除于 ${time(third, 'YYYY-MM-DD HH:mm')}）`,
    `cam.localhost（删除于 ${time(second, 'YYYY-MM-DD HH:mm:ss')}）`,
    `cam.localhost（删除于 ${time(first, 'YYYY-MM-DD HH:mm:ss')}）`,
    'old.localhost',
  ]);
  expect(openList('按设备筛选')().slice(1)).toEqual([
    '已删除',
    `旧路由器（映射删除于 ${time(third, 'YYYY-MM-DD HH:mm')}）`,
    `旧路由器（映射删除于 ${time(second, 'YYYY-MM-DD HH:mm')}）`,
  ]);
});

test('the list of a deleted mapping without records says that nothing matches', async () => {
  const more = { status: 404, detail: '', fields: {}, requestId: '', retryAfterSeconds: undefined };
  const unknown = new ApiError({ type: 'problem', code: 'mapping.not-found', ...more });
  open(
    {
      [list]: (input) =>
        'mapping' in (input as { query: object }).query ? Promise.reject(unknown) : pageOf([recordOf(1)]),
    },
    '/record?mapping=99',
  );
  await screen.findByText('没有符合条件的记录');
  expect(screen.queryByRole('alert')).toBeNull();
  fireEvent.click(screen.getByText('清除条件'));
  await card('203.0.113.1');
});

test('a refusal of the server is shown', async () => {
  const more = { status: 409, detail: '', fields: {}, requestId: '', retryAfterSeconds: undefined };
  const refusal = new ApiError({ type: 'problem', code: 'verification.revoked', ...more });
  open({ [list]: () => pageOf([recordOf(1)]), [extend]: () => Promise.reject(refusal) });
  fireEvent.click(await screen.findByLabelText('延长 203.0.113.1'));
  fireEvent.click(await screen.findByText('从现在起 24 小时'));
  await screen.findByText('这条验证已被撤销，不能延长');
});
