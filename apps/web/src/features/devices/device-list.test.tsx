import { act, cleanup, fireEvent, screen, within } from '@testing-library/react';
import type { Device } from '@tongtu/contract';
import { useLocation, useNavigate } from 'react-router';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { deviceOf, mappingOf } from '../../testing/device-fixtures.ts';
import { show } from '../../testing/show.tsx';
import { setUpTimes } from '../../text/time.ts';
import { DeviceList } from './device-list.tsx';
import type { DeviceDialog } from './device-dialog.ts';
import { SavedMappingProvider, useMarkSavedMapping } from './saved-mapping.ts';

setUpTimes();
beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  localStorage.clear();
});

const typingPauseMs = 200;
const pass = (ms: number) => act(async () => void (await vi.advanceTimersByTimeAsync(ms)));

function Where() {
  const { search } = useLocation();
  const navigate = useNavigate();
  return (
    <button data-testid="where" onClick={() => void navigate('/devices')}>
      {decodeURIComponent(search)}
    </button>
  );
}

const where = () => screen.getByTestId('where');
const address = () => where().textContent;

const photos = mappingOf({ id: 1, domain: 'photos.localhost', url: 'http://photos.localhost/', remark: '家庭相册' });
const files = mappingOf({ id: 2, domain: 'files.localhost', url: 'http://files.localhost/' });
const nas = deviceOf({ id: 1, uid: '000000000001', name: '群晖', mappings: [photos, files] });
const devicesOf = (count: number): Device[] => [
  nas,
  ...Array.from({ length: count - 1 }, (_, index) =>
    deviceOf({ id: index + 2, uid: `0000000000${index + 10}`, name: `小盒子 ${index + 2}` }),
  ),
];

function open(count: number, at = '/devices') {
  const onOpen = vi.fn<(dialog: DeviceDialog) => void>();
  const devices = devicesOf(count);
  show(
    <>
      <DeviceList devices={devices} highlightedDomain="" onOpen={onOpen} />
      <Where />
    </>,
    {},
    { at },
  );
  return { onOpen };
}

const field = () => screen.getByRole<HTMLInputElement>('textbox', { name: /搜索/ });
const type = (text: string) => fireEvent.change(field(), { target: { value: text } });
const names = () => screen.getAllByRole('article').map((article) => article.getAttribute('aria-label'));
const addresses = () => screen.getAllByRole('link').map((link) => link.textContent);
const marks = () => [...document.querySelectorAll('mark')].map((mark) => mark.textContent);
const isList = () => screen.queryByRole('button', { name: '群晖', expanded: false }) !== null;

test.each([
  [9, false],
  [10, true],
])('%i devices are shown as a list: %s', (count, expected) => {
  open(count);
  expect(isList()).toBe(expected);
});

test('the choice between cards and list outlasts the page', () => {
  open(2);
  fireEvent.click(screen.getByText('列表'));
  expect(isList()).toBe(true);
  cleanup();
  open(2);
  expect(isList()).toBe(true);
  fireEvent.click(screen.getByText('卡片'));
  cleanup();
  open(12);
  expect(isList()).toBe(false);
});

test('a line unfolds to the mappings of its device, with the remark before the address', () => {
  open(10);
  const line = within(screen.getByRole('article', { name: '群晖' }));
  expect(line.queryByRole('link')).toBeNull();
  fireEvent.click(line.getByRole('button', { name: '群晖' }));
  expect(addresses()).toEqual(['http://photos.localhost', 'http://files.localhost']);
  const row = line.getAllByRole('listitem')[0]?.textContent ?? '';
  expect(row.indexOf('家庭相册')).toBeLessThan(row.indexOf('http://photos.localhost'));
  fireEvent.click(line.getByRole('button', { name: '群晖' }));
  expect(line.queryByRole('link')).toBeNull();
});

test('a search keeps the mappings that match, unfolds their device, and marks what matched', async () => {
  open(10);
  type('相册');
  await pass(typingPauseMs - 1);
  expect(names()).toHaveLength(10);
  await pass(1);
  expect(names()).toEqual(['群晖']);
  expect(addresses()).toEqual(['http://photos.localhost']);
  expect(marks()).toEqual(['相册']);
  expect(address()).toBe('?q=相册');

  fireEvent.click(screen.getByText('全部显示'));
  expect(addresses()).toEqual(['http://photos.localhost', 'http://files.localhost']);
});

test('a search that matches only the device keeps all of its mappings', async () => {
  open(2, '/devices?q=群晖');
  expect(names()).toEqual(['群晖']);
  expect(addresses()).toHaveLength(2);
  expect(marks()).toEqual(['群晖']);
});

test('the search comes from the address, and goes with it', async () => {
  open(3, '/devices?q=photos');
  expect(field().value).toBe('photos');
  expect(names()).toEqual(['群晖']);

  fireEvent.click(where());
  await pass(0);
  expect(field().value).toBe('');
  expect(names()).toHaveLength(3);
});

test('the address of a mapping searches it until the user searches something else', async () => {
  open(3, '/devices?domain=photos.localhost');
  expect(field().value).toBe('photos.localhost');
  expect(names()).toEqual(['群晖']);
  type('');
  await pass(typingPauseMs);
  expect(names()).toHaveLength(3);
  expect(address()).toBe('?domain=photos.localhost&q=');
});

test('an input method composes in peace: the search waits until the word is complete', async () => {
  open(3);
  fireEvent.compositionStart(field());
  type('xiang ce');
  await pass(typingPauseMs * 5);
  expect(names()).toHaveLength(3);
  expect(address()).toBe('');
  type('相册');
  fireEvent.compositionEnd(field());
  await pass(typingPauseMs);
  expect(names()).toEqual(['群晖']);
});

test('filter and search count together, and are cleared together', async () => {
  open(3, '/devices?q=群晖');
  fireEvent.click(screen.getByText('离线'));
  screen.getByText('没有符合条件的设备');
  fireEvent.click(screen.getByText('清除条件'));
  expect(names()).toHaveLength(3);
  expect(address()).toBe('');
});

function Saving() {
  const saved = useMarkSavedMapping();
  return (
    <SavedMappingProvider value={saved}>
      <DeviceList devices={[nas]} highlightedDomain="" onOpen={() => undefined} />
      <button onClick={() => saved.mark(files.id)}>保存了 files</button>
    </SavedMappingProvider>
  );
}

test('a mapping that is saved during a search is shown, and a search right after it is one like any other', async () => {
  show(<Saving />, {}, { at: '/devices?q=相册' });
  expect(addresses()).toEqual(['http://photos.localhost']);
  fireEvent.click(screen.getByText('保存了 files'));
  expect(addresses()).toEqual(['http://photos.localhost', 'http://files.localhost']);

  cleanup();
  show(<Saving />, {}, { at: '/devices' });
  fireEvent.click(screen.getByText('保存了 files'));
  type('相册');
  await pass(typingPauseMs);
  expect(addresses()).toEqual(['http://photos.localhost']);
});
