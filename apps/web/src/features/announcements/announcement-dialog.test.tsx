import { cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { ConfigProvider } from 'antd';
import { afterEach, expect, test, vi } from 'vitest';
import { AnnouncementDialog } from './announcement-dialog.tsx';
import { displayed, hasReadAll } from './announcement-rules.ts';

afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const published_at = new Date(2026, 10, 23).toISOString();
const announcements = [
  { id: 3, title: '维护', detail: '今晚升级', url: '', display: true, published_at },
  { id: 5, title: '新版', detail: '请更新', url: 'https://example.com/notes', display: true, published_at },
  { id: 9, title: '草稿', detail: '不显示', url: '', display: false, published_at },
  { id: 4, title: '坏链接', detail: '点我', url: 'javascript:alert(1)', display: true, published_at },
];
const profile = { readed_announcement_id: 0 } as Parameters<typeof hasReadAll>[0]; // the rule reads this field alone

function open(onGotIt: () => void = () => undefined) {
  render(<AnnouncementDialog isOpen announcements={displayed(announcements)} readId={4} onGotIt={onGotIt} />);
  return screen.getByRole('dialog');
}

test('the shown announcements are numbered in order, each as a bracketed title and its detail, the unread one marked', () => {
  const dialog = open();
  const list = within(dialog).getByRole('list');
  expect(list.tagName).toBe('OL');
  expect(
    within(list)
      .getAllByRole('listitem')
      .map((item) => item.textContent?.trim()),
  ).toEqual(['【维护】今晚升级2026-11-23', '【新版】请更新 未读2026-11-23', '【坏链接】点我2026-11-23']);
});

test('a line with an address opens it in a new window without access to this one', () => {
  const links = within(open()).getAllByRole('link');
  expect(links).toHaveLength(1);
  expect(links[0]?.getAttribute('href')).toBe('https://example.com/notes');
  expect(links[0]?.getAttribute('target')).toBe('_blank');
  expect(links[0]?.getAttribute('rel')).toContain('noopener');
});

test('an address of the console itself becomes a link, too; an executable one does not', () => {
  const urls = [
    '/help',
    'notes.html',
    'JavaScript:alert(1)',
    ' javascript:alert(1)',
    'data:text/html,x',
    '  ',
    'http://',
  ];
  const lines = urls.map((url, index) => ({
    id: index + 1,
    title: '公告',
    detail: url,
    url,
    display: true,
    published_at,
  }));
  render(<AnnouncementDialog isOpen announcements={lines} readId={9} onGotIt={() => undefined} />);
  const hrefs = screen.getAllByRole<HTMLAnchorElement>('link').map((link) => link.href);
  expect(hrefs).toEqual([new URL('/help', location.href).href, new URL('notes.html', location.href).href]);
});

test('it is 582px wide and 50px from the top', () => {
  const dialog = open();
  expect(dialog.style.getPropertyValue('--ant-modal-width') || dialog.style.width).toBe('582px');
  expect(dialog.style.top).toBe('50px');
  // On narrow screens Ant Design would add eight pixels.
  expect(dialog.style.marginTop).toMatch(/^0(px)?$/);
});

test('only 知道了 closes it: not Escape, not a click on the backdrop, and there is no icon', () => {
  const onGotIt = vi.fn<() => void>();
  const dialog = open(onGotIt);
  expect(within(dialog).getAllByRole('button')).toHaveLength(1);

  fireEvent.keyDown(dialog, { key: 'Escape' });
  fireEvent.click(document.querySelector('.ant-modal-wrap') ?? dialog);
  expect(onGotIt).not.toHaveBeenCalled();

  fireEvent.click(within(dialog).getByRole('button', { name: '知道了' }));
  expect(onGotIt).toHaveBeenCalledOnce();
});

const locksScrolling = ({ textContent }: Element) => textContent.includes('html body { overflow-y: hidden');

test.each([
  ['with motion', true],
  ['with reduced motion', false],
])('%s scrolling is possible again 200 ms after the dialog is closed', async (_how, motion) => {
  const dialogIn = (isOpen: boolean) => (
    <ConfigProvider theme={{ token: { motion } }}>
      <AnnouncementDialog
        isOpen={isOpen}
        announcements={displayed(announcements)}
        readId={4}
        onGotIt={() => undefined}
      />
    </ConfigProvider>
  );
  // Style sheets have no effect here (testing/), only their text can be read.
  const isLocked = () => [...document.querySelectorAll('style')].some(locksScrolling);
  await expect.poll(isLocked).toBe(false); // the dialogs of earlier tests have released the scroll lock
  vi.useFakeTimers();

  const { rerender } = render(dialogIn(true));
  expect(isLocked()).toBe(true);
  rerender(dialogIn(false));
  vi.advanceTimersByTime(199);
  expect(isLocked()).toBe(true);
  vi.advanceTimersByTime(1);
  expect(isLocked()).toBe(false);
});

test('everything counts as read once the largest id is read, including hidden announcements', () => {
  expect(hasReadAll({ ...profile, readed_announcement_id: 8 }, announcements)).toBe(false);
  expect(hasReadAll({ ...profile, readed_announcement_id: 9 }, announcements)).toBe(true);
  expect(hasReadAll(profile, [])).toBe(true);
});
