import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { Banner, Device, Membership } from '@tongtu/contract';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { deviceOf, mappingOf } from '../../../testing/device-fixtures.ts';
import { show } from '../../../testing/show.tsx';
import { setUpTimes } from '../../../text/time.ts';
import { DevicesPage } from '../devices-page.tsx';

setUpTimes();
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

const mapping = (id: number, prefix: string, given: object = {}) =>
  mappingOf({ id, prefix, domain: `${prefix}.example.com`, url: `https://${prefix}.example.com`, ...given });
const membership: Membership = {
  id: 5,
  domain: 'wiki.friend.example',
  url: 'https://wiki.friend.example',
  owner: 'zhao',
  pinned: false,
  state: 'online',
  since: null,
  offline_reason: null,
  opens_at: null,
  closes_at: null,
  hours: null,
  created_at: '2026-11-01T00:00:00.000Z',
};
const home = deviceOf({
  id: 1,
  name: '家',
  mappings: [mapping(1, 'nas', { remark: '群晖' }), mapping(2, 'cam', { remark: '📷 门口' })],
});
const office = deviceOf({
  id: 2,
  uid: '000000000002',
  name: '公司',
  online: false,
  state: 'offline',
  offline_reason: 'no_heartbeat',
  mappings: [mapping(3, 'git')],
});

const banner: Banner = { id: 1, title: '双十二', image: '', url: '', revision: 1 };

function open(
  devices: Device[],
  memberships: Membership[],
  { at = '/devices?view=launcher', banners = [] as Banner[] } = {},
) {
  return show(
    <DevicesPage />,
    {
      'GET /api/user/routers/': () => ({ count: devices.length, next: null, previous: null, results: devices }),
      'GET /api/user/shared_with_me/': () => memberships,
      'GET /api/user/servers/': () => [],
      'GET /api/site/promoters/': () => banners,
      'GET /api/site/config/': () => ({ base_domain: 'example.com', console_url: 'https://example.com' }),
      'PATCH /api/user/records/{id}/': () => ({}),
      'PATCH /api/user/shared_with_me/{id}/': () => ({ ok: true }),
    },
    { at },
  );
}

const tiles = () => screen.getAllByRole('link').map((link) => link.querySelector('bdi')?.textContent);
const tile = async (name: string) => (await screen.findByText(name)).closest('a') ?? document.createElement('a');
const field = () => screen.getByRole('textbox', { name: /搜索/ });

test('what staff announce stands above the launcher, too, until it is dismissed', async () => {
  open([home], [], { banners: [banner] });
  fireEvent.click(await screen.findByRole('button', { name: /双十二/ }));
  await waitFor(() => expect(screen.queryByText('双十二')).toBeNull());
  expect(screen.getByText('群晖')).toBeDefined();
});

test('what opens in a browser is a tile in the group of its device, and opens in another tab', async () => {
  const port = mapping(4, 'ssh', { port: 20_000, prefix: null });
  const hidden = [mapping(6, 'off', { enabled: false }), mapping(7, 'shut', { policy: 'closed' })];
  const wildcard = mapping(8, 'all', { prefix: null, custom_domain: '*.example.com', domain: '*.example.com' });
  open([{ ...home, mappings: [...home.mappings, port, wildcard, ...hidden] }, office], [membership]);
  const link = await tile('群晖');
  expect([link.href, link.target, link.rel]).toEqual(['https://nas.example.com/', '_blank', 'noopener noreferrer']);
  expect(screen.getAllByRole('region').map((region) => region.querySelector('h2')?.textContent)).toEqual([
    '公司',
    '家',
    '他人共享给我的',
  ]);
  expect(tiles()).toEqual(['git', '群晖', '门口', 'wiki']);
  expect((await tile('wiki')).textContent).toContain('zhao');
});

test('an emoji at the beginning of a remark becomes the icon', async () => {
  open([home], []);
  expect((await tile('门口')).textContent).toContain('📷');
  expect((await tile('群晖')).querySelector('svg')).not.toBeNull();
});

test('the first letter of a name is the icon, also in a browser that cannot find graphemes', async () => {
  const { Segmenter } = Intl;
  Reflect.deleteProperty(Intl, 'Segmenter');
  onTestFinished(() => void Object.assign(Intl, { Segmenter }));
  open([{ ...home, mappings: [mapping(1, 'abc', { remark: '𠮷祥', target: 'http://192.168.1.10' })] }], []);
  const link = await tile('𠮷祥');
  within(link).getByText('𠮷');
});

test('what is offline says why', async () => {
  open([office], []);
  const { textContent } = await tile('git');
  expect(textContent).toContain('离线');
  expect(textContent).toContain('设备一段时间没有回应，可能断电、断网或休眠');
});

test('what is outside its opening hours says when it is open', async () => {
  const hours = { days: [6], from: '08:00', to: '08:01' };
  vi.spyOn(Date, 'now').mockReturnValue(Date.parse('2026-11-23T12:00:00Z'));
  open([deviceOf({ mappings: [mapping(1, 'nas', { hours })] })], []);
  const { textContent } = await tile('nas');
  expect(textContent).toContain('不在开放时间');
  expect(textContent).toContain('周六 08:00–08:01');
});

test('somebody without devices sees first what is shared, and finds the devices behind a button', async () => {
  open([], [membership], { at: '/devices' });
  await tile('wiki');
  fireEvent.click(screen.getByText('管理设备'));
  await screen.findByText('还没有设备');
  expect(screen.getByRole('listitem', { name: 'wiki.friend.example' })).toBeDefined();
  fireEvent.click(screen.getByText('启动台'));
  await tile('wiki');
});

test('somebody with devices sees these first', async () => {
  open([home], [membership], { at: '/devices' });
  await screen.findByRole('article', { name: '家' });
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('我的设备');
});

test('pinned tiles come first', async () => {
  const pinned = { ...home, mappings: [mapping(1, 'nas'), mapping(2, 'cam', { pinned: true })] };
  const calls = open([pinned], [membership]);
  await tile('cam');
  expect(tiles()).toEqual(['cam', 'nas', 'wiki']);
  const group = within(screen.getByRole('region', { name: '置顶' }));
  fireEvent.click(group.getByRole('button', { name: '取消置顶 cam.example.com' }));
  fireEvent.click(screen.getByRole('button', { name: '置顶 wiki.friend.example' }));
  const patches = () => calls.filter(({ key }) => key.startsWith('PATCH')).map(({ key, input }) => [key, input]);
  await waitFor(() =>
    expect(patches()).toEqual([
      ['PATCH /api/user/records/{id}/', { params: { id: 2 }, body: { pinned: false } }],
      ['PATCH /api/user/shared_with_me/{id}/', { params: { id: 5 }, body: { pinned: true } }],
    ]),
  );
});

test('/ leads to the search, arrows to the tiles, Enter opens the first one found', async () => {
  open([home], [membership]);
  const first = await tile('群晖');
  fireEvent.keyDown(document.body, { key: '/' });
  expect(document.activeElement).toBe(field());
  fireEvent.keyDown(field(), { key: 'ArrowDown' });
  expect(document.activeElement).toBe(first);
  fireEvent.keyDown(first, { key: 'ArrowRight' });
  expect(document.activeElement).toBe(await tile('门口'));

  fireEvent.change(field(), { target: { value: 'zhao' } });
  await waitFor(() => expect(tiles()).toEqual(['wiki']));
  const opened = vi.spyOn(window, 'open').mockReturnValue(null);
  fireEvent.keyDown(field(), { key: 'Enter', isComposing: true });
  expect(opened).not.toHaveBeenCalled();
  fireEvent.keyDown(field(), { key: 'Enter' });
  expect(opened.mock.calls).toEqual([['https://wiki.friend.example', '_blank', 'noopener,noreferrer']]);
});

test('Enter right after typing opens what was typed, not what was found before', async () => {
  open([home], [membership]);
  await tile('群晖');
  const opened = vi.spyOn(window, 'open').mockReturnValue(null);
  fireEvent.keyDown(field(), { key: 'Enter' });
  expect(opened).not.toHaveBeenCalled();
  fireEvent.change(field(), { target: { value: '门口' } });
  fireEvent.keyDown(field(), { key: 'Enter' });
  expect(opened.mock.calls.map(([url]) => url)).toEqual(['https://cam.example.com']);
});

test('/ is a character inside a field', async () => {
  open([home], []);
  await tile('群晖');
  field().focus();
  expect(fireEvent.keyDown(field(), { key: '/' })).toBe(true);
});
