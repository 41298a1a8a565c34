import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import type { Device } from '@tongtu/contract';
import { useState } from 'react';
import { afterEach, expect, test } from 'vitest';
import { deviceOf } from '../../../testing/device-fixtures.ts';
import { show } from '../../../testing/show.tsx';
import { setUpTimes } from '../../../text/time.ts';
import { DevicesPage } from '../devices-page.tsx';
import { UpgradeAgentDialog } from './upgrade-agent-dialog.tsx';

setUpTimes();
afterEach(cleanup);

const site = { console_url: 'https://tongtu.example.com', base_domain: 'example.com' };

async function open(given: Partial<Device>, answers: Parameters<typeof show>[1] = {}) {
  const calls = show(
    <DevicesPage />,
    {
      'GET /api/user/routers/': () => ({ count: 1, next: null, previous: null, results: [deviceOf(given)] }),
      'GET /api/user/shared_with_me/': () => [],
      'GET /api/user/servers/': () => [],
      'GET /api/site/config/': () => site,
      ...answers,
    },
    { at: '/devices?view=manage' },
  );
  await screen.findByText('家里的群晖');
  return calls;
}

const upgradeButton = () => screen.queryByRole('button', { name: /^可升级/ });

test('a device with the newest agent says nothing of an upgrade', async () => {
  await open({ agent_version: '0.2.0' });
  expect(screen.getByText('0.2.0')).toBeDefined();
  expect(upgradeButton()).toBeNull();
});

test.each([
  ['linux x64', /; else wget -qO- \S+\/agent\/install\.sh; fi \| sh$/],
  ['win32 x64', /^node -e "fetch\('\S+\/agent\/tongtu-agent\.mjs'\)/],
])('a device on %s says that its agent can be upgraded, and by which command', async (platform, command) => {
  await open({ agent_version: '0.1.0', agent_upgrade: '0.2.0', platform });
  fireEvent.click(screen.getByRole('button', { name: '可升级到 0.2.0 家里的群晖' }));
  const dialog = within(await screen.findByRole('dialog'));
  expect(dialog.getByText(/这台设备上的客户端是 0\.1\.0，可以升级到 0\.2\.0/)).toBeDefined();
  const line = dialog.getByText(command).textContent;
  expect(line).not.toContain('TOKEN');
  expect(dialog.getByLabelText('复制升级命令')).toBeDefined();
});

test('the button has the device upgrade itself, once', async () => {
  const calls = await open(
    { agent_version: '0.1.0', agent_upgrade: '0.2.0', platform: 'linux x64' },
    { 'POST /api/user/routers/{id}/upgrade/': () => ({ version: '0.2.0' }) },
  );
  fireEvent.click(screen.getByRole('button', { name: '可升级到 0.2.0 家里的群晖' }));
  const dialog = within(await screen.findByRole('dialog'));
  const button = dialog.getByRole('button', { name: /升\s?级$/ });
  fireEvent.click(button);
  expect(await dialog.findByText(/设备已收到升级，下载、校验后会重新启动/)).toBeDefined();
  expect(button).toHaveProperty('disabled', true);
  expect(calls.filter(({ key }) => key.endsWith('/upgrade/'))).toHaveLength(1);
});

function ComesAndGoes() {
  const [online, setOnline] = useState(true);
  const device = deviceOf({ agent_version: '0.1.0', agent_upgrade: '0.2.0', online });
  return (
    <>
      <button onClick={() => setOnline(!online)}>come or go</button>
      <UpgradeAgentDialog device={device} devices={[device]} onClose={() => {}} />
    </>
  );
}

test('a device that comes back with the old agent has rolled back, and can be tried again', async () => {
  show(<ComesAndGoes />, {
    'GET /api/site/config/': () => site,
    'POST /api/user/routers/{id}/upgrade/': () => ({ version: '0.2.0' }),
  });
  const button = await screen.findByRole('button', { name: /升\s?级$/ });
  fireEvent.click(button);
  await screen.findByText(/设备已收到升级/);
  const comeOrGo = screen.getByText('come or go');
  fireEvent.click(comeOrGo);
  screen.getByText(/设备已收到升级/);
  fireEvent.click(comeOrGo);
  screen.getByText(/没有成功上线，或还没有下载完，设备现在是 0\.1\.0/);
  expect(screen.queryByText(/设备已收到升级/)).toBeNull();
  fireEvent.click(button);
  await screen.findByText(/设备已收到升级/);
});

function ComeBackLater() {
  const [step, setStep] = useState(0);
  const old = { agent_version: '0.1.0', agent_upgrade: '0.2.0' };
  const upgraded = step === 2 ? { agent_version: '0.2.0', agent_upgrade: null } : old;
  const devices = [
    deviceOf({ ...upgraded, online: step !== 1 }),
    deviceOf({ ...old, id: 2, name: '书房', online: step !== 1 }),
    deviceOf({ ...old, id: 3, name: '阁楼', online: step === 2 }),
    deviceOf({ ...old, id: 4, name: '车库' }),
  ];
  return (
    <>
      <button onClick={() => setStep(step + 1)}>next</button>
      <UpgradeAgentDialog device={deviceOf(old)} devices={devices} onClose={() => {}} />
    </>
  );
}

test('of several, those that come back with the old agent are named', async () => {
  show(<ComeBackLater />, {
    'GET /api/site/config/': () => site,
    'POST /api/user/routers/upgrade/': () => ({ started: 2, failed: 0, left: 2 }),
  });
  fireEvent.click(await screen.findByRole('button', { name: '升级多台' }));
  await screen.findByText(/2 台正在升级/);
  fireEvent.click(screen.getByText('next'));
  expect(screen.queryByText(/仍是原来的版本/)).toBeNull();
  fireEvent.click(screen.getByText('next'));
  screen.getByText(/^书房 重新上线后仍是原来的版本/);
});

test('several devices are upgraded at once, or a part of them', async () => {
  const old = { agent_version: '0.1.0', agent_upgrade: '0.2.0' };
  const devices = [deviceOf(old), deviceOf({ ...old, id: 2, name: '书房' })];
  const several = 'POST /api/user/routers/upgrade/';
  const calls = await open(old, {
    'GET /api/user/routers/': () => ({ count: 2, next: null, previous: null, results: devices }),
    [several]: () => ({ started: 1, failed: 0, left: 1 }),
  });
  fireEvent.click(screen.getByRole('button', { name: '可升级到 0.2.0 家里的群晖' }));
  const dialog = within(await screen.findByRole('dialog'));
  fireEvent.click(dialog.getByText('50%'));
  fireEvent.click(dialog.getByRole('button', { name: '升级多台' }));
  await dialog.findByText('1 台正在升级，1 台这次没有升级（离线，或不在这一批）');
  expect(calls.find(({ key }) => key === several)?.input).toEqual({ body: { percent: 50 } });
});
