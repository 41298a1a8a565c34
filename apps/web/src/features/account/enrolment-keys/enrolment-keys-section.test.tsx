import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { EnrolmentKey } from '@tongtu/contract';
import { afterEach, expect, test } from 'vitest';
import { pressEnter } from '../../../testing/press-enter.ts';
import { show } from '../../../testing/show.tsx';
import { setUpTimes } from '../../../text/time.ts';
import { ConfirmProvider } from '../../confirm/confirm-provider.tsx';
import { refusal } from '../testing/account-fixtures.ts';
import { EnrolmentKeysSection } from './enrolment-keys-section.tsx';

setUpTimes();
afterEach(cleanup);

const list = 'GET /api/user/enrolment_keys/';
const create = 'POST /api/user/enrolment_keys/';
const remove = 'DELETE /api/user/enrolment_keys/{id}/';

function keyOf(given: Partial<EnrolmentKey> = {}): EnrolmentKey {
  return {
    id: 6,
    name: '门店',
    device_name: '',
    hint: 'te_x7Q2ab',
    is_reusable: false,
    use_count: 0,
    created_at: '2026-11-01T00:00:00.000Z',
    expires_at: '2026-11-02T00:00:00.000Z',
    last_used_at: null,
    state: 'active',
    ...given,
  };
}

function open(keys: EnrolmentKey[], answers: Parameters<typeof show>[1] = {}) {
  return show(
    <ConfirmProvider>
      <EnrolmentKeysSection />
    </ConfirmProvider>,
    {
      [list]: () => [...keys],
      [remove]: (input) => {
        const { params } = input as { params: { id: number } };
        keys.splice(
          keys.findIndex(({ id }) => id === params.id),
          1,
        );
        return { ok: true };
      },
      'GET /api/agent/bootstrap/': () => ({ relay_pin: 'pin' }),
      'GET /api/site/config/': () => ({ console_url: 'https://tongtu.example.com' }),
      ...answers,
    },
  );
}

test('keys that enrol stand before used ones, with what they did', async () => {
  const used = { last_used_at: '2026-11-01T01:00:00.000Z', use_count: 1 };
  open([
    keyOf({ id: 8, name: '旧的', state: 'used', ...used }),
    keyOf({ id: 7, name: '收银机', is_reusable: true, device_name: '收银台', ...used, use_count: 12 }),
  ]);

  const active = await screen.findByText('收银机');
  expect(active.compareDocumentPosition(screen.getByText('旧的'))).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  for (const text of ['多台设备', '设备名称：收银台', '添加过 12 台设备', '有效', '已使用']) screen.getByText(text);
});

test('a key is revoked after a question', async () => {
  const calls = open([keyOf()]);
  fireEvent.click(await screen.findByRole('button', { name: '撤销接入密钥 门店' }));
  const question = await screen.findByRole('dialog', { name: '撤销接入密钥“门店”？' });
  expect(calls.some(({ key }) => key === remove)).toBe(false);
  fireEvent.click(within(question).getByRole('button', { name: '撤销' }));
  await screen.findByText('接入密钥已撤销');
  await screen.findByText(/^没有有效的接入密钥/);
  expect(calls.find(({ key }) => key === remove)?.input).toEqual({ params: { id: 6 } });
});

test('a used key is removed from the list at once', async () => {
  open([keyOf({ state: 'used', use_count: 1, last_used_at: '2026-11-01T01:00:00.000Z' })]);
  fireEvent.click(await screen.findByRole('button', { name: '移除接入密钥 门店' }));
  await screen.findByText('已从列表移除');
});

test('a new key is shown once, with the line to paste', async () => {
  let isFull = true;
  const calls = open([], {
    [create]: () =>
      isFull ? Promise.reject(refusal('enrolment-key.limit-reached')) : { key: 'te_secret', enrolment_key: keyOf() },
  });
  fireEvent.click(await screen.findByRole('button', { name: '新建接入密钥' }));
  const form = await screen.findByRole('dialog', { name: '新建接入密钥' });
  fireEvent.click(within(form).getByRole('button', { name: '新建' }));
  await within(form).findByText('请输入名称');
  fireEvent.change(within(form).getByLabelText('名称'), { target: { value: '门店' } });
  fireEvent.click(within(form).getByRole('button', { name: '新建' }));
  await within(form).findByText('有效的接入密钥数量已达上限，请先撤销不用的');
  isFull = false;
  pressEnter(within(form).getByLabelText('名称'));

  const shown = await screen.findByRole('dialog', { name: '保存接入密钥' });
  within(shown).getByText('te_secret');
  await within(shown).findByText(/TONGTU_TOKEN=te_secret sh/);
  expect(calls.findLast(({ key }) => key === create)?.input).toEqual({
    body: { name: '门店', device_name: '', is_reusable: true, valid_hours: 24 },
  });
  fireEvent.keyDown(window, { key: 'Escape' });
  fireEvent.click(within(shown).getByRole('button', { name: '我已保存' }));
  await waitFor(() => expect(screen.queryByText('te_secret')).toBeNull());
});
