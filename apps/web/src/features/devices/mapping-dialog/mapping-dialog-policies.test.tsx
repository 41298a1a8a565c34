import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { type Mapping, MappingCreate } from '@tongtu/contract';
import { afterEach, expect, test } from 'vitest';
import { ApiError } from '../../../api/index.ts';
import { deviceOf, mappingOf } from '../../../testing/device-fixtures.ts';
import { show } from '../../../testing/show.tsx';
import { ConfirmProvider } from '../../confirm/confirm-provider.tsx';
import { MappingDialog } from './mapping-dialog.tsx';

afterEach(cleanup);

const create = 'POST /api/user/records/';
const patch = 'PATCH /api/user/records/{id}/';
const device = deviceOf();

function open(mapping?: Mapping) {
  const edited = mapping === undefined ? {} : { mapping };
  const dialog = <MappingDialog device={device} devices={[device]} onClose={() => undefined} {...edited} />;
  return show(dialog, {
    'GET /api/site/config/': () => ({}),
    'GET /api/user/routers/': () => ({ count: 0, next: null, previous: null, results: [] }),
    [create]: () => mappingOf(),
    [patch]: () => mappingOf(),
  });
}

const field = (label: string) =>
  screen.getByLabelText<HTMLInputElement>(label, { selector: 'input:not([type=radio])' });
const fill = (label: string, value: string) => fireEvent.change(field(label), { target: { value } });
const choose = (policy: RegExp) => fireEvent.click(screen.getByRole('radio', { name: policy }));
async function choosePassword(): Promise<void> {
  choose(/需访问密码/);
  await screen.findByRole('button', { name: '生成' });
}
const chosenPolicy = () =>
  ['owner', 'password', 'public', 'closed'].filter((policy) =>
    screen.queryAllByRole<HTMLInputElement>('radio').some(({ value, checked }) => value === policy && checked),
  );
const bodies = (key: string, calls: ReturnType<typeof show>) =>
  calls.filter((call) => call.key === key).map(({ input }) => (input as { body: unknown }).body);

function save(): void {
  const { form } = field('主机');
  if (form) fireEvent.submit(form);
}

function fillPage(): void {
  fill('主机', '192.168.1.10');
  fill('端口', '5000');
  fill('域名前缀', 'nas');
}

test('a page with a password is not made without one; one that is generated is shown and taken', async () => {
  const calls = open();
  fillPage();
  expect(screen.queryByLabelText('访问密码', { selector: 'input:not([type=radio])' })).toBeNull();
  await choosePassword();
  save();
  await screen.findByText('请设置访问密码');
  fill('访问密码', 'abc');
  save();
  await screen.findByText('访问密码至少 4 个字符');
  expect(bodies(create, calls)).toEqual([]);
  expect(field('访问密码').type).toBe('password');
  fireEvent.click(screen.getByRole('button', { name: '生成' }));
  expect(field('访问密码').type).toBe('text');
  const generated = field('访问密码').value;
  expect(generated).toMatch(/^[a-km-np-z2-9]{12}$|^[a-z2-9]{12}$/);
  screen.getByLabelText('复制访问密码');
  save();
  await waitFor(() => expect(bodies(create, calls)).toHaveLength(1));
  expect(bodies(create, calls)[0]).toMatchObject({ policy: 'password', password: generated });
  expect(MappingCreate.safeParse(bodies(create, calls)[0]).success).toBe(true);
});

test('a policy that is chosen shows at once', () => {
  open(mappingOf({ policy: 'owner' }));
  choose(/公开/);
  expect(chosenPolicy()).toEqual(['public']);
});

test('a password that is set stays when its field is left empty, and goes when another is typed', async () => {
  const calls = open(mappingOf({ policy: 'password', has_password: true }));
  expect([field('访问密码').value, field('访问密码').placeholder]).toEqual(['', '已设置，留空则不修改']);
  fill('备注', '客厅');
  save();
  await waitFor(() => expect(bodies(patch, calls)).toEqual([{ remark: '客厅' }]));
  cleanup();
  const later = open(mappingOf({ policy: 'password', has_password: true }));
  fill('访问密码', 'another one');
  save();
  await waitFor(() => expect(bodies(patch, later)).toEqual([{ password: 'another one' }]));
});

test('a password that was typed for a policy that was not chosen is not sent', async () => {
  const calls = open();
  fillPage();
  await choosePassword();
  fill('访问密码', 'typed before');
  choose(/禁止访问/);
  save();
  await waitFor(() => expect(bodies(create, calls)).toHaveLength(1));
  expect(bodies(create, calls)[0]).toMatchObject({ policy: 'closed' });
  expect(bodies(create, calls)[0]).not.toHaveProperty('password');
});

test('where there is no page to ask for it a password cannot be chosen, and one that was falls back to the safe way', async () => {
  const calls = open();
  await choosePassword();
  fireEvent.click(screen.getByText('端口 TCP/UDP'));
  await waitFor(() => expect(screen.queryByRole('radio', { name: /需访问密码/ })).toBeNull());
  expect(chosenPolicy()).toEqual(['owner']);
  fill('主机', 'udp://192.168.1.10:51820');
  fireEvent.blur(field('主机'));
  await screen.findByText(/UDP 的来源地址可以伪造/);
  save();
  await waitFor(() => expect(bodies(create, calls)).toHaveLength(1));
  expect(bodies(create, calls)[0]).toMatchObject({ kind: 'udp', policy: 'owner' });
});

test('that an address can be forged is said of verified udp ports alone', async () => {
  const warning = /UDP 的来源地址可以伪造/;
  const udp = mappingOf({ kind: 'udp', prefix: null, port: 20_000, target: 'udp://192.168.1.10:53' });
  open(udp);
  await screen.findByText(warning);
  choose(/公开/);
  await waitFor(() => expect(screen.queryByText(warning)).toBeNull());
  cleanup();
  open({ ...udp, kind: 'tcp', target: 'tcp://192.168.1.10:53' });
  expect(screen.queryByText(warning)).toBeNull();
});

test('days in the wrong order are reported once both are valid', async () => {
  const calls = open();
  fillPage();
  fireEvent.click(screen.getByText('高级选项'));
  function type(label: string, value: string): void {
    const typed = screen.getByLabelText(label);
    fireEvent.change(typed, { target: { value } });
    fireEvent.blur(typed);
  }
  await screen.findByLabelText('开始日期');
  type('开始日期', '2026-12-02');
  type('结束日期', '2026-12-01');
  await screen.findByText('结束日期不能早于开始日期');

  type('开始日期', '明天');
  await screen.findByText('请按“2026-12-01”的格式填写');
  await waitFor(() => expect(screen.queryByText('结束日期不能早于开始日期')).toBeNull());

  type('开始日期', '2026-12-03');
  save();
  await screen.findByText('结束日期不能早于开始日期');
  expect(bodies(create, calls)).toEqual([]);
});

test('opening a mapping to everybody asks for a confirmation, and a closed question loses nothing that was typed', async () => {
  let isProven = false;
  const refusal = new ApiError({
    ...{ type: 'problem', status: 403, code: 'session.confirm-required', detail: '', fields: {}, requestId: '' },
    retryAfterSeconds: undefined,
  });
  const dialog = <MappingDialog device={device} devices={[device]} onClose={() => undefined} />;
  const calls = show(<ConfirmProvider>{dialog}</ConfirmProvider>, {
    'GET /api/site/config/': () => ({}),
    'GET /api/user/routers/': () => ({ count: 0, next: null, previous: null, results: [] }),
    'GET /custom/confirm/': () => ({ methods: ['password'], confirmed_until: null }),
    'POST /custom/confirm/': () => {
      isProven = true;
      return { methods: ['password'], confirmed_until: null };
    },
    [create]: () => (isProven ? mappingOf() : Promise.reject(refusal)),
  });
  fillPage();
  choose(/公开/);
  save();
  const proof = await screen.findByLabelText('登录密码');
  const question = proof.closest<HTMLElement>('[role=dialog]') ?? document.body;
  fireEvent.click(within(question).getByRole('button', { name: /关闭|Close/ }));
  await waitFor(() => expect(screen.queryByLabelText('登录密码')).toBeNull());
  expect([field('主机').value, field('域名前缀').value, chosenPolicy()]).toEqual(['192.168.1.10', 'nas', ['public']]);
  expect(document.querySelector('.ant-alert-error')).toBeNull();
  save();
  fireEvent.change(await screen.findByLabelText('登录密码'), { target: { value: 'a long password' } });
  fireEvent.click(screen.getByRole('button', { name: '确认' }));
  await waitFor(() => expect(bodies(create, calls)).toHaveLength(3));
  expect(bodies(create, calls).at(-1)).toMatchObject({ policy: 'public', prefix: 'nas' });
});
