import { cleanup, configure, fireEvent, screen, waitFor } from '@testing-library/react';
import type { VerificationRecord } from '@tongtu/contract';
import { afterEach, expect, test, vi } from 'vitest';
import { setUpTimes } from '../../text/time.ts';
import { mappingOf } from './testing/device-fixtures.ts';
import { show } from './testing/show.tsx';
import { VisitorsDialog } from './visitors-dialog.tsx';

setUpTimes();
configure({ asyncUtilTimeout: 15_000 });
afterEach(cleanup);

const list = 'GET /api/user/verifications/';
const revoke = 'DELETE /api/user/verifications/{id}/';
const hourMs = 3_600_000;

function recordOf(id: number, given: Partial<VerificationRecord> = {}): VerificationRecord {
  return {
    id,
    mapping: 3,
    router: 1,
    kind: 'cookie',
    granted_by: 'owner',
    who: '',
    place: '',
    host: 'nas.localhost',
    port: null,
    ip: `203.0.113.${id}`,
    user_agent: '',
    created_at: new Date(Date.now() - hourMs).toISOString(),
    expires_at: new Date(Date.now() + hourMs).toISOString(),
    revoked_at: null,
    ...given,
  };
}

const pageOf = (results: VerificationRecord[]) => ({ count: results.length, next: null, previous: null, results });

function open(answers: Parameters<typeof show>[1]) {
  const onClose = vi.fn<() => void>();
  return { onClose, calls: show(<VisitorsDialog mapping={mappingOf()} onClose={onClose} />, answers) };
}

test('those who may pass can be sent away at once; those who may no more only stand there', async () => {
  const records = [
    recordOf(1, { kind: 'ip' }),
    recordOf(2, { expires_at: '2026-01-01T00:00:00.000Z' }),
    recordOf(3, { revoked_at: '2026-01-01T00:00:00.000Z' }),
  ];
  const { calls } = open({
    [list]: () => pageOf(records),
    [revoke]: () => {
      records[0] = recordOf(1, { revoked_at: new Date().toISOString() });
      return { ok: true };
    },
  });
  await screen.findByText('203.0.113.1');
  expect(screen.getAllByText(/^(有效|已过期|已撤销)$/).map(({ textContent }) => textContent)).toEqual([
    '有效',
    '已过期',
    '已撤销',
  ]);
  const buttons = screen.getAllByLabelText(/^撤销/);
  expect(buttons.map((button) => button.getAttribute('aria-label'))).toEqual(['撤销 203.0.113.1']);

  for (const button of buttons) fireEvent.click(button);
  await screen.findByText('已撤销 203.0.113.1 的访问');
  await waitFor(() => expect(screen.queryByLabelText(/^撤销/)).toBeNull());
  expect(calls.filter(({ key }) => key === revoke).map(({ input }) => input)).toEqual([{ params: { id: 1 } }]);
  expect(calls[0]).toMatchObject({ key: list, input: { query: { mapping: 3, offset: 0 } } });
});

test('a mapping that nobody was let in to says so', async () => {
  open({ [list]: () => pageOf([]) });
  await screen.findByText('还没有访客通过验证');
});

test('a list that cannot be had is told, and had again', async () => {
  let isBroken = true;
  open({ [list]: () => (isBroken ? Promise.reject(new Error('broken')) : pageOf([recordOf(1)])) });
  await screen.findByText('访客列表加载失败');
  isBroken = false;
  fireEvent.click(screen.getByText('重试'));
  await screen.findByText('203.0.113.1');
});

test('older records come when they are asked for', async () => {
  const { calls } = open({
    [list]: (input) => {
      const { query } = input as { query: { offset: number } }; // what the call is typed to send
      return query.offset === 0
        ? { ...pageOf([recordOf(1)]), count: 51, next: '/api/user/verifications/?offset=50' }
        : { ...pageOf([recordOf(2)]), count: 51 };
    },
  });
  fireEvent.click(await screen.findByText('显示更早的记录'));
  await screen.findByText('203.0.113.2');
  expect(screen.queryByText('显示更早的记录')).toBeNull();
  expect(calls.at(-1)).toMatchObject({ input: { query: { offset: 50 } } });
});

test('Escape closes the list', async () => {
  const { onClose } = open({ [list]: () => pageOf([]) });
  await screen.findByText('还没有访客通过验证');
  fireEvent.keyDown(window, { key: 'Escape' });
  expect(onClose).toHaveBeenCalledOnce();
});
