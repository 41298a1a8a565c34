import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { type Mapping, type Member, ShareCreate, type ShareLink } from '@tongtu/contract';
import { afterEach, expect, test } from 'vitest';
import { ApiError } from '../../../api/index.ts';
import { mappingOf } from '../../../testing/device-fixtures.ts';
import { show } from '../../../testing/show.tsx';
import { setUpTimes } from '../../../text/time.ts';
import { SharingDialog } from './sharing-dialog.tsx';

setUpTimes();
afterEach(cleanup);

const links = 'GET /api/user/records/{id}/shares/';
const showLink = 'GET /api/user/shares/{id}/';
const createLink = 'POST /api/user/records/{id}/shares/';
const revokeLink = 'DELETE /api/user/shares/{id}/';
const members = 'GET /api/user/records/{id}/members/';
const addMember = 'POST /api/user/records/{id}/members/';
const removeMember = 'DELETE /api/user/members/{id}/';
const hourMs = 3_600_000;

function linkOf(id: number, given: Partial<ShareLink> = {}): ShareLink {
  return {
    id,
    mapping: 3,
    label: `链接${id}`,
    url: `https://t.example.com/s/code-${id}`,
    created_at: new Date().toISOString(),
    expires_at: new Date(Date.now() + hourMs).toISOString(),
    max_uses: null,
    uses: 0,
    revoked_at: null,
    ...given,
  };
}

function open(answers: Parameters<typeof show>[1] = {}, given: Partial<Mapping> = {}) {
  const dialog = <SharingDialog mapping={mappingOf(given)} onClose={() => undefined} />;
  return show(dialog, { [links]: () => [], [members]: () => [], ...answers });
}

const sentTo = (key: string, calls: ReturnType<typeof show>) =>
  calls.filter((call) => call.key === key).map(({ input }) => input);
const item = (name: string) => screen.findByRole('listitem', { name });
/** The last dialog in the document: a confirmation is above the dialog that opened it. */
const answer = (word: string) =>
  fireEvent.click(within(screen.getAllByRole('dialog').at(-1) ?? document.body).getByRole('button', { name: word }));

test('a link is made for a time and a number of visits, and shown with its QR code', async () => {
  const made: ShareLink[] = [];
  const calls = open({
    [links]: () => made,
    [createLink]: () => {
      made.push(linkOf(1, { label: '给妈妈', max_uses: 2 }));
      return made[0];
    },
  });
  await screen.findByText('还没有分享链接');
  fireEvent.change(screen.getByLabelText('备注'), { target: { value: '给妈妈' } });
  fireEvent.change(screen.getByLabelText('最多可用次数'), { target: { value: '２' } });
  fireEvent.click(screen.getByRole('button', { name: '新建链接' }));
  const row = await item('给妈妈');
  within(row).getByText('已用 0 / 2 次');
  within(row).getByText(made[0]?.url ?? '');
  within(row).getByRole('img', { name: '给妈妈的二维码' });
  within(row).getByText('用手机扫一扫就能打开');
  expect(sentTo(createLink, calls)).toEqual([
    { params: { id: 3 }, body: { label: '给妈妈', valid_hours: 24, max_uses: 2 } },
  ]);
  const [{ body }] = sentTo(createLink, calls) as [{ body: unknown }];
  expect(ShareCreate.parse(body)).toEqual(body);
});

test('the address of a link is shown once the user has confirmed who they are', async () => {
  let isConfirmed = false;
  const calls = open({
    [links]: () => [isConfirmed ? linkOf(1) : { ...linkOf(1), url: null }],
    [showLink]: () => {
      isConfirmed = true;
      return linkOf(1);
    },
  });
  const row = await item('链接1');
  expect(within(row).queryByRole('button', { name: '二维码' })).toBeNull();
  fireEvent.click(within(row).getByRole('button', { name: '显示 链接1 的链接' }));
  await within(row).findByText('https://t.example.com/s/code-1');
  within(row).getByRole('button', { name: '二维码' });
  expect(sentTo(showLink, calls)).toEqual([{ params: { id: 1 } }]);
});

test('the QR code of a new link is shown, also when the list has it before the reply', async () => {
  const client = new QueryClient();
  const made: ShareLink[] = [];
  const reply = Promise.withResolvers<ShareLink>();
  show(
    <QueryClientProvider client={client}>
      <SharingDialog mapping={mappingOf()} onClose={() => undefined} />
    </QueryClientProvider>,
    {
      [links]: () => [...made],
      [members]: () => [],
      [createLink]: () => {
        made.push(linkOf(1));
        return reply.promise;
      },
    },
  );
  await screen.findByText('还没有分享链接');
  fireEvent.click(screen.getByRole('button', { name: '新建链接' }));
  await waitFor(() => expect(made).toHaveLength(1));
  await client.invalidateQueries(); // as after an event of the live stream
  const row = await item('链接1');
  expect(within(row).queryByRole('img', { name: '链接1的二维码' })).toBeNull();
  reply.resolve(linkOf(1));
  await within(row).findByRole('img', { name: '链接1的二维码' });
});

test('on a server that has only a loopback address, the QR code is not recommended', async () => {
  const made: ShareLink[] = [];
  open({
    [links]: () => made,
    [createLink]: () => {
      made.push(linkOf(1, { url: 'http://localhost/s/code' }));
      return made[0];
    },
  });
  await screen.findByText('还没有分享链接');
  fireEvent.click(screen.getByRole('button', { name: '新建链接' }));
  await within(await item('链接1')).findByText(/^这个链接只有在服务器本机上才能打开/);
  expect(screen.queryByText('用手机扫一扫就能打开')).toBeNull();
});

test.each(['0', '-1', '1.5', 'x', '10001'])('a link for %s visits is not made', async (uses) => {
  const calls = open();
  fireEvent.change(await screen.findByLabelText('最多可用次数'), { target: { value: uses } });
  fireEvent.click(screen.getByRole('button', { name: '新建链接' }));
  await screen.findByText('请输入 1–10000 的整数，留空则不限');
  expect(sentTo(createLink, calls)).toEqual([]);
});

test('a link that has ended says why, and neither can be copied nor ended again', async () => {
  open({
    [links]: () => [
      linkOf(1),
      linkOf(2, { expires_at: '2026-01-01T00:00:00.000Z' }),
      linkOf(3, { max_uses: 2, uses: 2 }),
      linkOf(4, { revoked_at: '2026-01-01T00:00:00.000Z' }),
      linkOf(5, { label: '' }),
    ],
  });
  const words = { 链接1: '有效', 链接2: '已过期', 链接3: '次数已用完', 链接4: '已撤销', 未命名的链接: '有效' };
  for (const [name, word] of Object.entries(words)) within(await item(name)).getByText(word);
  expect(screen.getAllByLabelText('复制分享链接')).toHaveLength(2);
  expect(screen.getAllByLabelText(/^撤销/).map((button) => button.getAttribute('aria-label'))).toEqual([
    '撤销 链接1',
    '撤销 未命名的链接',
  ]);
});

test('ending a link asks first', async () => {
  const calls = open({ [links]: () => [linkOf(1)], [revokeLink]: () => ({ ok: true }) });
  fireEvent.click(await screen.findByLabelText('撤销 链接1'));
  await screen.findByText('链接立即失效，由它进来的访客也会马上断开。');
  expect(sentTo(revokeLink, calls)).toEqual([]);
  answer('撤销');
  await screen.findByText('分享链接已撤销');
  expect(sentTo(revokeLink, calls)).toEqual([{ params: { id: 1 } }]);
});

test('a member is added by phone or e-mail and removed again', async () => {
  const listed: Member[] = [];
  const calls = open({
    [members]: () => [...listed],
    [addMember]: (input) => {
      const { body } = input as { body: { contact: string } }; // the type of this call's body
      const pending = { joined_at: null, expires_at: null, account: '' };
      listed.push({ id: 5, mapping: 3, contact: body.contact, created_at: new Date().toISOString(), ...pending });
      return listed[0];
    },
    [removeMember]: () => {
      listed.pop();
      return { ok: true };
    },
  });
  fireEvent.click(screen.getByText('成员'));
  await screen.findByText('还没有成员');
  fireEvent.click(screen.getByRole('button', { name: '添加' }));
  await screen.findByText('请输入手机号或邮箱');
  fireEvent.change(screen.getByLabelText('手机号或邮箱'), { target: { value: ' mama@example.com ' } });
  fireEvent.click(screen.getByRole('button', { name: '添加' }));
  await item('mama@example.com');
  await screen.findByText('已添加 mama@example.com');
  fireEvent.click(screen.getByLabelText('移除 mama@example.com'));
  await screen.findByText(/对方立即不能再打开这个地址/);
  answer('移除');
  await waitFor(() => expect(screen.queryByRole('listitem', { name: 'mama@example.com' })).toBeNull());
  expect(sentTo(addMember, calls)).toEqual([{ params: { id: 3 }, body: { contact: 'mama@example.com' } }]);
  expect(sentTo(removeMember, calls)).toEqual([{ params: { id: 5 } }]);
});

const memberOf = (contact: string, given: Partial<Member> = {}): Member => ({
  ...{
    id: 5,
    mapping: 3,
    contact,
    created_at: new Date().toISOString(),
    joined_at: null,
    expires_at: null,
    account: '',
  },
  ...given,
});

test('a member who has not joined gets a link to be sent; one who has joined is shown with the account', async () => {
  const url = 'http://localhost/#/join?token=x';
  const calls = open({
    'GET /api/site/config/': () => ({ registration: 'invitation' }),
    'POST /api/user/members/{id}/invitation/': () => ({
      id: 1,
      url,
      email: '',
      expires_at: '2126-01-01T00:00:00.000Z',
    }),
    [members]: () => [
      memberOf('mama@example.com'),
      memberOf('papa@example.com', { id: 6, joined_at: new Date().toISOString(), account: '爸爸' }),
    ],
  });
  fireEvent.click(screen.getByText('成员'));
  const joined = await item('papa@example.com');
  within(joined).getByText('已加入');
  within(joined).getByText('账号 爸爸');
  expect(within(joined).queryByLabelText(/邀请链接$/)).toBeNull();
  const pending = await item('mama@example.com');
  within(pending).getByText('待加入');
  fireEvent.click(within(pending).getByLabelText('给 mama@example.com 的邀请链接'));
  await within(pending).findByText(url);
  expect(sentTo('POST /api/user/members/{id}/invitation/', calls)).toEqual([{ params: { id: 5 } }]);
});

test('while registration is closed members are not invited', async () => {
  open({
    'GET /api/site/config/': () => ({ registration: 'closed' }),
    [members]: () => [memberOf('mama@example.com')],
  });
  fireEvent.click(screen.getByText('成员'));
  await within(await item('mama@example.com')).findByText(/^这里已关闭注册/);
});

test('the error of a contact that the server refuses is shown at its field', async () => {
  const more = { status: 422, detail: '', fields: {}, requestId: '', retryAfterSeconds: undefined };
  const refusal = new ApiError({ type: 'problem', code: 'member.contact-invalid', ...more });
  open({ [addMember]: () => Promise.reject(refusal) });
  fireEvent.click(screen.getByText('成员'));
  fireEvent.change(await screen.findByLabelText('手机号或邮箱'), { target: { value: '123' } });
  fireEvent.click(screen.getByRole('button', { name: '添加' }));
  await screen.findByText('请输入正确的手机号或邮箱');
});

test.each([
  ['public', /这个地址是公开的/],
  ['closed', /这个地址现在不能访问/],
] as const)('on a %s mapping it is said that sharing does nothing now', async (policy, words) => {
  open({}, { policy });
  await screen.findByText(words);
});

test('a list that cannot be loaded shows an error, and can be loaded again', async () => {
  let isBroken = true;
  open({ [links]: () => (isBroken ? Promise.reject(new Error('broken')) : [linkOf(1)]) });
  await screen.findByText('分享链接加载失败');
  isBroken = false;
  fireEvent.click(screen.getByText('重试'));
  await item('链接1');
});
