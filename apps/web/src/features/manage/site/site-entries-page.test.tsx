import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import type { ManagedSiteEntry } from '@tongtu/contract';
import { MAX_IMAGE_BYTES } from '@tongtu/contract/limits';
import { afterEach, expect, test } from 'vitest';
import { showToStaff } from '../testing/manage-fixtures.tsx';
import { SiteEntriesPage } from './site-entries-page.tsx';

afterEach(cleanup);

const banner: ManagedSiteEntry = {
  ...{ id: 3, kind: 'banner', title: '双十一', detail: '', image: '', qr_text: '', url: 'https://shop.example/' },
  ...{ position: 2, display: true, starts_at: null, ends_at: '2026-01-01T00:00:00.000Z', revision: 5 },
};
const create = 'POST /api/manage/site_entries/';
const change = 'PATCH /api/manage/site_entries/{id}/';

function open(answers: Parameters<typeof showToStaff>[1] = {}) {
  return showToStaff(<SiteEntriesPage />, { 'GET /api/manage/site_entries/': () => [banner], ...answers });
}

async function press(name: string) {
  fireEvent.click(await screen.findByRole('button', { name }));
}
const type = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } });
const choose = (file: File) => fireEvent.change(screen.getByLabelText('图片（可选）'), { target: { files: [file] } });
const preview = () => within(screen.getByTestId('preview'));

test('a banner shows whether users see it', async () => {
  open();
  const row = within(await screen.findByRole('listitem', { name: '双十一' }));
  for (const text of ['已结束', '排序 2', 'https://shop.example/']) row.getByText(text);
});

test('a new group is previewed with its image, and sent', async () => {
  const calls = open({ [create]: () => ({ ...banner, kind: 'community', title: '玩家群' }) });
  await press('新建群或链接');
  await screen.findByRole('dialog');
  type('标题', ' 玩家群 ');
  type('链接（可选）', 'https://forum.example/');
  choose(new File(['png'], 'group.png', { type: 'image/png' }));
  expect((await preview().findByRole('img')).getAttribute('src')).toBe('data:image/png;base64,cG5n');
  preview().getByRole('link', { name: 'forum.example' });
  await press('保存');
  await screen.findByText('玩家群 已保存');
  expect(calls.find(({ key }) => key === create)?.input).toEqual({
    body: {
      ...{ kind: 'community', title: '玩家群', detail: '', url: 'https://forum.example/', qr_text: '' },
      ...{ position: 0, display: true, starts_at: null, ends_at: null, image_base64: 'cG5n' },
    },
  });
});

test('a mistake above the window takes the focus, so that it is seen', async () => {
  open();
  await press('新建横幅');
  await screen.findByRole('dialog');
  screen.getByLabelText('排序').focus();
  await press('保存');
  await screen.findByText('请输入标题');
  expect(document.activeElement).toBe(screen.getByLabelText('标题'));
});

test('an address that is no link and an image that is too large are refused', async () => {
  const calls = open();
  await press('修改 双十一');
  await screen.findByRole('dialog');
  type('链接（可选）', 'javascript:alert(1)');
  choose(new File([new Uint8Array(MAX_IMAGE_BYTES + 1)], 'large.png'));
  await screen.findByText('图片超过 300 KB，请压缩后再选');
  await press('保存');
  await screen.findByText(/请输入以 http/);
  expect(calls.some(({ key }) => key === change)).toBe(false);
});

test('a banner is changed as it was read, and removed after a question', async () => {
  const remove = 'DELETE /api/manage/site_entries/{id}/';
  const calls = open({ [change]: () => banner, [remove]: () => ({}) });
  await press('修改 双十一');
  await screen.findByRole('dialog');
  type('标题', '双十二');
  await press('保存');
  await screen.findByText('双十一 已保存');
  expect(calls.find(({ key }) => key === change)?.input).toMatchObject({
    params: { id: 3 },
    body: { title: '双十二', revision: 5, ends_at: '2026-01-01T00:00:00.000Z' },
  });
  await press('删除 双十一');
  const question = within(await screen.findByRole('dialog', { name: /^删除.双十一/ }));
  fireEvent.click(question.getByRole('button', { name: '删除' }));
  await screen.findByText('双十一 已删除');
  expect(calls.find(({ key }) => key === remove)?.input).toEqual({ params: { id: 3 } });
});
