import { cleanup, fireEvent, screen } from '@testing-library/react';
import type { PublicRouterInfo } from '@tongtu/contract';
import { Link, Route, Routes, useLocation } from 'react-router';
import { afterEach, expect, test } from 'vitest';
import { useDevices } from '../../api/index.ts';
import { show } from '../../testing/show.tsx';
import { setUpTimes } from '../../text/time.ts';
import { ThemeModeProvider } from '../../ui/theme/theme-mode.tsx';
import { ErrorportPage } from './errorport-page.tsx';

setUpTimes();
afterEach(cleanup);

const domain = 'nas.localhost';
const nothing = { since: null, offline_reason: null, opens_at: null, closes_at: null, hours: null };
const twoHoursAgo = () => new Date(Date.now() - 2 * 3_600_000 - 60_000).toISOString();

type Case = {
  state: PublicRouterInfo['state'];
  given?: Partial<PublicRouterInfo>;
  /** The title and parts of the text below it. */
  says: string[];
  /** The owner's button and its target. */
  owners?: { button: string; to: string };
};

const device = `/devices?domain=${domain}`;
const diagnose = { button: '诊断', to: `${device}&check=1` };
const enable = { button: '去启用', to: device };
const change = { button: '修改开放设置', to: device };

const cases: Case[] = [
  { state: 'online', says: ['设备现在在线', '问题可能已经恢复'], owners: diagnose },
  {
    state: 'offline',
    given: { since: twoHoursAgo(), offline_reason: 'no_heartbeat' },
    says: ['设备不在线', '2 小时前离线', '设备一段时间没有回应，可能断电、断网或休眠。请确认设备已开机'],
    owners: diagnose,
  },
  { state: 'never_connected', says: ['设备还没有连接过', '设备添加之后从未连上服务器'], owners: diagnose },
  { state: 'disabled', says: ['设备已停用', '设备所有者停用了这台设备'], owners: enable },
  { state: 'mapping_disabled', says: ['这个地址已停用', '设备所有者停用了这条域名映射'], owners: enable },
  {
    state: 'closed',
    given: { closes_at: '2020-11-15T12:00:00.000Z' },
    says: ['这个地址现在不能访问', '开放时间已于 2020-11-15'],
    owners: change,
  },
  {
    state: 'not_open_yet',
    given: { opens_at: '2126-11-15T12:00:00.000Z' },
    says: ['还没有到开放时间', '将于 2126-11-15'],
    owners: change,
  },
  {
    state: 'outside_hours',
    given: { hours: { days: [1, 2, 3, 4, 5], from: '18:00', to: '21:30' } },
    says: ['现在不在开放时段', '18:00', '21:30', '请在时段内再来'],
    owners: change,
  },
  { state: 'unknown', says: ['没有这个地址', `${domain} 没有对应的域名映射`] },
];

function Place() {
  const { pathname, search } = useLocation();
  return <output>{pathname + search}</output>;
}

function open({ state, given }: Case, { isOwner }: { isOwner: boolean }): { key: string }[] {
  const page = (
    <ThemeModeProvider>
      <ErrorportPage />
      <Place />
    </ThemeModeProvider>
  );
  const answers = {
    'GET /api/router_info/': () => ({ domain, ...nothing, state, ...given }),
    'GET /api/site/config/': () => ({ console_url: 'http://localhost' }),
    ...(isOwner ? { 'GET /custom/router_info/': () => ({ id: 1 }) } : {}),
  };
  return show(page, answers, { at: `/errorport?invalidDomain=${domain}` });
}

async function expectWords({ says: [title = '', ...parts] }: Case): Promise<void> {
  await screen.findByText(title);
  for (const part of parts) expect(document.body.textContent.replaceAll(/\s+/g, ' ')).toContain(part);
}

const ownersWords = /诊断|去启用|修改开放设置/;

test.each(cases)('$state: the owner reads why, with a button that leads to the remedy', async (given) => {
  const calls = open(given, { isOwner: true });
  await expectWords(given);

  if (given.owners === undefined) {
    expect(screen.queryByRole('button', { name: ownersWords })).toBeNull();
    // An address without an owner: ownership is not fetched.
    expect(calls.map(({ key }) => key)).not.toContain('GET /custom/router_info/');
    return;
  }
  fireEvent.click(await screen.findByRole('button', { name: given.owners.button }));
  await screen.findByText(given.owners.to);
});

test.each(cases)('$state: an anonymous client reads why, with at most a button to retry', async (given) => {
  const calls = open(given, { isOwner: false });
  await expectWords(given);

  if (given.owners === undefined) expect(screen.queryByRole('button', { name: '重试打开' })).toBeNull();
  else {
    await expect.poll(() => calls.map(({ key }) => key)).toContain('GET /custom/router_info/');
    fireEvent.click(await screen.findByRole('button', { name: '重试打开' }));
    await screen.findByText(/^\/check\?url=http%3A%2F%2Fnas\.localhost/);
  }
  expect(screen.queryByRole('button', { name: ownersWords })).toBeNull();
});

/** The devices as the screen has them at each drawing. */
function Devices({ drawn }: { drawn: (string | undefined)[] }) {
  const { data } = useDevices();
  drawn.push(data?.[0]?.name);
  return <Link to={`/errorport?invalidDomain=${domain}`}>{data?.[0]?.name}</Link>;
}

test('the button does not lead to a list of devices from before', async () => {
  const drawn: (string | undefined)[] = [];
  const names = ['启用的', '停用的'];
  const routes = (
    <ThemeModeProvider>
      <Routes>
        <Route path="/devices" element={<Devices drawn={drawn} />} />
        <Route path="/errorport" element={<ErrorportPage />} />
      </Routes>
    </ThemeModeProvider>
  );
  const answers = {
    'GET /api/router_info/': () => ({ domain, ...nothing, state: 'mapping_disabled' }),
    'GET /custom/router_info/': () => ({ id: 1 }),
    'GET /api/site/config/': () => ({ console_url: 'http://localhost' }),
    'GET /api/user/routers/': () => ({ count: 1, next: null, previous: null, results: [{ name: names.shift() }] }),
  };
  show(routes, answers, { at: '/devices' });
  fireEvent.click(await screen.findByRole('link', { name: '启用的' }));
  const button = await screen.findByRole('button', { name: '去启用' });
  drawn.length = 0;

  fireEvent.click(button);
  await screen.findByRole('link', { name: '停用的' });
  expect(drawn).not.toContain('启用的');
});
