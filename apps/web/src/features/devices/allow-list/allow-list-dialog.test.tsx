import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { ApiError } from '../../../api/index.ts';
import { AllowListDialog } from './allow-list-dialog.tsx';
import { deviceOf } from '../../../testing/device-fixtures.ts';
import { show } from '../../../testing/show.tsx';

afterEach(cleanup);

const currentIp = 'GET /api/user/current_ip/';
const patch = 'PATCH /api/user/routers/{id}/';
const device = deviceOf({ allow_list: ['203.0.113.7'] });

function open(answers: Parameters<typeof show>[1] = {}) {
  const onClose = vi.fn<() => void>();
  const known = {
    [currentIp]: () => ({ ip: '198.51.100.23' }),
    'GET /api/user/routers/': () => ({ count: 1, next: null, previous: null, results: [device] }),
    [patch]: () => device,
    ...answers,
  };
  return { onClose, calls: show(<AllowListDialog device={device} onClose={onClose} />, known) };
}

const entries = () => screen.getByLabelText<HTMLTextAreaElement>('IP 地址或网段');
const type = (text: string) => fireEvent.change(entries(), { target: { value: text } });
/** Waits until the button can be clicked: while it loads, its name begins with that of the loading icon. */
const addButton = async (name: string) => await screen.findByRole('button', { name });
const save = () => fireEvent.click(screen.getByText('保存'));

test('the network one is in is added to the list, once, and the list is saved whole', async () => {
  const { onClose, calls } = open();
  const add = await addButton('添加当前 IP 198.51.100.23');
  fireEvent.click(add);
  expect(entries().value).toBe('203.0.113.7\n198.51.100.23');
  fireEvent.click(add);
  await screen.findByText('198.51.100.23 已在白名单中');
  expect(entries().value).toBe('203.0.113.7\n198.51.100.23');
  save();
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  expect(calls.filter(({ key }) => key === patch).map(({ input }) => input)).toEqual([
    { params: { id: 7 }, body: { allow_list: ['203.0.113.7', '198.51.100.23'] } },
  ]);
});

test('an address that was removed elsewhere while the dialog was open does not come back', async () => {
  const present = deviceOf({ allow_list: ['192.0.2.9'] });
  const { onClose, calls } = open({
    'GET /api/user/routers/': () => ({ count: 1, next: null, previous: null, results: [present] }),
  });
  fireEvent.click(await addButton('添加当前 IP 198.51.100.23'));
  save();
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  expect(calls.find(({ key }) => key === patch)?.input).toMatchObject({
    body: { allow_list: ['198.51.100.23', '192.0.2.9'] },
  });
});

test('each invalid line is named by its number, and nothing is sent', async () => {
  const { calls } = open();
  type('203.0.113.7\n300.1.1.1\n\n0.0.0.0/0');
  save();
  await screen.findByText(/第 2 行 300\.1\.1\.1：.*\n第 4 行 0\.0\.0\.0\/0：/, { normalizer: (text) => text });
  expect(calls.filter(({ key }) => key === patch)).toEqual([]);
});

test('more entries than there may be are not sent', async () => {
  open();
  type(Array.from({ length: 9 }, (_, index) => `203.0.113.${index}`).join('\n'));
  save();
  await screen.findByText('最多 8 个地址或网段');
});

test('an emptied list is saved as empty', async () => {
  const { onClose, calls } = open();
  type('\n');
  save();
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  expect(calls.at(-1)?.input).toMatchObject({ body: { allow_list: [] } });
});

test('an entry that the server refuses is named by its line, also while the own address is unknown', async () => {
  const more = { status: 422, detail: '', requestId: '', retryAfterSeconds: undefined };
  const refusal = new ApiError({
    type: 'problem',
    code: 'device.allow-list-invalid',
    fields: { 'allow_list.0': ['服务器不收'] },
    ...more,
  });
  open({ [currentIp]: () => Promise.reject(new Error('away')), [patch]: () => Promise.reject(refusal) });
  save();
  await screen.findByText('第 1 行 203.0.113.7：服务器不收');
  fireEvent.click(await addButton('添加当前 IP'));
  await screen.findByText('查不到当前 IP，请手动填写');
});
