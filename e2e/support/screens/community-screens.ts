import type { Page } from 'playwright-core';
import { type Screen, visit } from './screen-steps.ts';

const url = 'https://forum.example/t/1';
const group = {
  ...{ id: 1, title: '玩家群', detail: '每周六晚上聚会', image: '', qr_text: url, url },
  ...{ kind: 'community', position: 1, display: true, starts_at: null, ends_at: null, revision: 1 },
};
const banner = { ...group, id: 2, kind: 'banner', title: '双十一全场八折', detail: '', qr_text: '' };

async function mockEntries(page: Page): Promise<void> {
  await page.route('**/api/site/community/', (route) => route.fulfill({ json: [group] }));
  await page.route('**/api/manage/site_entries/', (route) => route.fulfill({ json: [banner, group] }));
}

/** 玩家交流, and where staff edit it and the banners. */
export const communityScreens: Screen[] = [
  {
    name: 'community',
    async open(page, at) {
      await mockEntries(page);
      await visit(page, at, '#/playersare', '每周六晚上聚会');
      await page
        .getByText(/^(访客|设备第一次上线后)/)
        .first()
        .waitFor();
    },
  },
  {
    name: 'site-entry-editor',
    async open(page, at) {
      await mockEntries(page);
      await visit(page, at, '#/manage/site', '双十一全场八折');
      await page.getByRole('button', { name: '修改 玩家群' }).click();
      await page.getByTestId('preview').scrollIntoViewIfNeeded();
    },
  },
];
