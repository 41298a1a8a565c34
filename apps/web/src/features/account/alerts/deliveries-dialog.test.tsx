import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import type { AlertDelivery } from '@tongtu/contract';
import { afterEach, expect, test, vi } from 'vitest';
import { show } from '../../../testing/show.tsx';
import { setUpTimes } from '../../../text/time.ts';
import { deliveryOf, refusal } from '../testing/account-fixtures.ts';
import { DeliveriesDialog } from './deliveries-dialog.tsx';

setUpTimes();
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const list = 'GET /api/user/alerts/deliveries/';

/** The dialog with a fake server that pages through deliveries. */
function open(deliveries: AlertDelivery[], answers: Parameters<typeof show>[1] = {}) {
  return show(<DeliveriesDialog onClose={() => undefined} />, {
    [list]: (input) => {
      const { limit, offset } = (input as { query: { limit: number; offset: number } }).query; // the type of the calls
      const isLast = offset + limit >= deliveries.length;
      return { results: deliveries.slice(offset, offset + limit), next: isLast ? null : 'more' };
    },
    ...answers,
  });
}

test('an account without deliveries reads that there are none', async () => {
  open([]);
  await screen.findByText('最近 30 天没有提醒');
});

test('each delivery shows its state, and why it failed', async () => {
  open([
    deliveryOf(3),
    deliveryOf(2, { state: 'waiting', failure: 'timeout', event: 'device_online' }),
    deliveryOf(1, { state: 'failed', failure: 'rejected', event: 'test' }),
  ]);
  await screen.findByText('已发送');
  screen.getByText(/^设备 3 已离线：/);
  screen.getByText('等待发送');
  screen.getByText(/对方的服务器没有及时回应。.*稍后会自动重试。/);
  screen.getByText('发送失败');
  screen.getByText(/对方没有返回 2xx 状态码/);
  screen.getByText('测试提醒');
});

test('older deliveries come on request, and a new one that shifts the pages duplicates none', async () => {
  const deliveries = Array.from({ length: 45 }, (_, index) => deliveryOf(45 - index));
  open(deliveries);
  await screen.findByText(/^设备 45 已离线：/);
  expect(screen.getAllByRole('listitem')).toHaveLength(20);
  deliveries.unshift(deliveryOf(46));
  fireEvent.click(screen.getByRole('button', { name: '加载更多' }));
  await screen.findByText(/^设备 7 已离线：/);
  expect(screen.getAllByText(/^设备 26 已离线：/)).toHaveLength(1);
  fireEvent.click(await screen.findByRole('button', { name: '加载更多' }));
  await screen.findByText(/^设备 1 已离线：/);
  await waitFor(() => expect(screen.queryByRole('button', { name: '加载更多' })).toBeNull());
});

test('a list that failed to load can be loaded again', async () => {
  let isDown = true;
  open([], {
    [list]: () => (isDown ? Promise.reject(refusal('server.unavailable')) : { results: [deliveryOf(1)], next: null }),
  });
  await screen.findByText('最近的提醒加载失败');
  isDown = false;
  fireEvent.click(screen.getByRole('button', { name: '重试' }));
  await screen.findByText(/^设备 1 已离线：/);
  expect(screen.queryByText('最近的提醒加载失败')).toBeNull();
});

/** Gives three lines a height of 66 pixels, and this text more; happy-dom has no layout. */
function mockLayout(longText: string): void {
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(66);
  vi.spyOn(HTMLElement.prototype, 'scrollHeight', 'get').mockImplementation(function (this: HTMLElement) {
    return this.textContent === longText ? 400 : 66;
  });
  class FirstLook {
    readonly #notify: () => void;
    constructor(notify: () => void) {
      this.#notify = notify;
    }
    observe(): void {
      this.#notify();
    }
    disconnect(): void {}
  }
  vi.stubGlobal('ResizeObserver', FirstLook);
}

test('only a long message has a button for the rest', async () => {
  const long = deliveryOf(2, { text: `12 台设备已离线：${'书房的群晖、'.repeat(40)}` });
  mockLayout(long.text);
  open([long, deliveryOf(1)]);
  const button = await screen.findByRole('button', { name: '展开' }); // there is one button, none for the short message
  const message = screen.getByText(long.text);
  expect(button.getAttribute('aria-expanded')).toBe('false');
  expect(button.getAttribute('aria-controls')).toBe(message.id);
  const folded = message.className;
  fireEvent.click(button);
  expect(button.textContent).toBe('收起');
  expect(button.getAttribute('aria-expanded')).toBe('true');
  expect(message.className).not.toBe(folded);
  fireEvent.click(button);
  expect(button.textContent).toBe('展开');
  expect(message.className).toBe(folded);
});
