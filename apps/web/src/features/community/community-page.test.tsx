import { cleanup, screen, within } from '@testing-library/react';
import type { CommunityEntry, PublicNetwork } from '@tongtu/contract';
import { afterEach, expect, test } from 'vitest';
import { show } from '../../testing/show.tsx';
import { CommunityPage } from './community-page.tsx';

afterEach(cleanup);

const group: CommunityEntry = {
  ...{ id: 1, title: '玩家群', detail: '每周六聚会', image: '/api/site/images/1/', qr_text: '' },
  url: 'https://forum.example/t/1',
};
const network: PublicNetwork = {
  network: '203.0.113.7',
  devices: [{ id: 4, name: '客厅的群晖', public_ip: '203.0.113.7', online: true }],
  visitors: [{ address: '203.0.113.7', who: '', host: 'nas.example.com', last_at: '2026-11-20T08:00:00.000Z' }],
};

type Facts = { entries?: CommunityEntry[]; networks?: PublicNetwork[]; isStaff?: boolean };

function open({ entries = [], networks = [], isStaff = false }: Facts) {
  const me = { id: 1, username: 'me', is_staff: isStaff, is_promoter: false, is_superuser: false };
  return show(<CommunityPage />, {
    'GET /api/profile/': () => [me],
    'GET /api/site/community/': () => entries,
    'GET /api/site/players/get_ip_list/': () => networks,
  });
}

test('the groups, with their link, and the networks of the own devices', async () => {
  open({ entries: [group], networks: [network] });
  const groups = within(await screen.findByRole('region', { name: '群与链接' }));
  groups.getByText('每周六聚会');
  expect(groups.getByRole('img').getAttribute('alt')).toBe('玩家群');
  expect(groups.getByRole('link', { name: 'forum.example' }).getAttribute('rel')).toContain('noopener');
  const shown = within(await screen.findByRole('listitem', { name: '203.0.113.7' }));
  for (const text of ['客厅的群晖', '在线', '未登录的访客', /进入 nas\.example\.com$/]) shown.getByText(text);
});

test.each(['javascript:alert(1)', 'https://bank.example@evil.example/'])('%s is no link', async (url) => {
  open({ entries: [{ ...group, url }] });
  await screen.findByText('玩家群');
  expect(screen.queryByRole('link')).toBeNull();
});

test.each([true, false])('without entries only staff (%s) see where to add them', async (isStaff) => {
  open({ isStaff });
  await screen.findByText('设备第一次上线后，这里会显示它的公网 IP。');
  if (isStaff) await screen.findByRole('button', { name: '去添加' });
  else await screen.findByText('还没有交流群或链接。管理员添加后会显示在这里。');
  expect(screen.queryByRole('button') !== null).toBe(isStaff);
});
