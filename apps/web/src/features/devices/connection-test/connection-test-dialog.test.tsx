import { cleanup, fireEvent, screen } from '@testing-library/react';
import type { ConnectionCheck } from '@tongtu/contract';
import { afterEach, expect, test, vi } from 'vitest';
import { ApiError, errorText } from '../../../api/index.ts';
import { deviceOf, mappingOf } from '../../../testing/device-fixtures.ts';
import { show } from '../../../testing/show.tsx';
import { ConnectionTestDialog } from './connection-test-dialog.tsx';

afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const checkKey = 'POST /api/user/routers/{id}/check_domain_connection/';
const patchKey = 'PATCH /api/user/records/{id}/';
const mapping = mappingOf({ domain: 'ha.localhost', target: 'http://192.168.1.5:8123' });
const device = deviceOf({ mappings: [mapping] });
const refused: ConnectionCheck = {
  ...{ ok: false, step: 'visit', ms: 80, warning: null },
  hint: '服务拒绝带访客地址（X-Forwarded-For 等）的请求',
  visit: {
    visitor: { url: 'https://ha.localhost/', text: 'HTTP 400' },
    direct: { url: 'http://192.168.1.5:8123/', text: 'HTTP 200，“Home Assistant”' },
    fix: { visitor_fields: 'omit_address' },
    advice: '在 configuration.yaml 里设置',
  },
};
const works: ConnectionCheck = {
  ...refused,
  ...{ ok: true, hint: '访客可以打开：HTTP 200' },
  visit: { visitor: { url: 'https://ha.localhost/', text: 'HTTP 200' }, direct: null, fix: null, advice: null },
};

function open(checks: ConnectionCheck[], patch: () => unknown = () => mapping) {
  const answers = { [checkKey]: () => checks.shift(), [patchKey]: patch };
  return show(<ConnectionTestDialog device={device} mapping={mapping} onClose={() => undefined} />, answers);
}

test('both results are shown, and one click applies the settings that work and tests again', async () => {
  const calls = open([refused, works]);
  await screen.findByText('HTTP 200，“Home Assistant”');
  expect(screen.getByText('HTTP 400')).toBeTruthy();
  expect(screen.getByText(/在 configuration.yaml 里设置/)).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: '一键修复' }));
  await screen.findByText('访客可以打开：HTTP 200');
  expect(calls.find(({ key }) => key === patchKey)?.input).toMatchObject({
    params: { id: mapping.id },
    body: { visitor_fields: 'omit_address' },
  });
  expect(screen.queryByRole('button', { name: '一键修复' })).toBeNull();
});

test('while the device is tested elsewhere, the dialog says so and begins when that has ended', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const problem = { type: 'problem', status: 409, code: 'device.busy', detail: '', fields: {} } as const;
  const busy = new ApiError({ ...problem, requestId: '', retryAfterSeconds: undefined });
  const answers = [() => Promise.reject(busy), () => works];
  const calls = show(<ConnectionTestDialog device={device} mapping={mapping} onClose={() => undefined} />, {
    [checkKey]: () => answers.shift()?.(),
  });
  expect(await screen.findByText(/另一次检测或诊断还没有结束/)).toBeTruthy();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(await screen.findByText('访客可以打开：HTTP 200')).toBeTruthy();
  expect(calls).toHaveLength(2);
});

test('a long test says that it goes on, and can be left', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const onClose = vi.fn<() => void>();
  show(<ConnectionTestDialog device={device} mapping={mapping} onClose={onClose} />, {
    [checkKey]: () => new Promise(() => undefined),
  });
  expect(await screen.findByText(/通常几秒就好/)).toBeTruthy();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await screen.findByText(/还在检测/)).toBeTruthy();
  fireEvent.click(screen.getByText('关闭', { selector: 'button *' }));
  expect(onClose).toHaveBeenCalled();
});

test('settings that were refused stay offered, with the reason', async () => {
  const failure = new TypeError('offline');
  open([refused], () => {
    throw failure;
  });
  fireEvent.click(await screen.findByRole('button', { name: '一键修复' }));
  expect(await screen.findByText(errorText(failure))).toBeTruthy();
  expect(screen.getByRole('button', { name: '一键修复' })).toBeTruthy();
});
