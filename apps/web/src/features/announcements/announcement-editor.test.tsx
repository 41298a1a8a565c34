import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import type { AnnouncementChange, ManagedAnnouncement } from '@tongtu/contract';
import { afterEach, expect, test } from 'vitest';
import { ApiError } from '../../api/index.ts';
import { show } from '../../testing/show.tsx';
import { setUpTimes } from '../../text/time.ts';
import { AnnouncementEditor } from './announcement-editor.tsx';

setUpTimes();
afterEach(cleanup);

const list = 'GET /api/announcement/manage/';
const patch = 'PATCH /api/announcement/manage/{id}/';
const opened: ManagedAnnouncement = {
  id: 4,
  title: '维护',
  detail: '今晚升级',
  url: '',
  display: true,
  starts_at: null,
  ends_at: null,
  created_at: '2026-11-20T08:00:00.000Z',
  revision: 3,
};

function changedError(): ApiError {
  const more = { detail: '', fields: {}, requestId: '', retryAfterSeconds: undefined };
  return new ApiError({ type: 'problem', status: 409, code: 'announcement.changed', ...more });
}

/** A fake server on which somebody else has saved or deleted the announcement. Its first answers may fail. */
function open({ isDeleted = false, failures = 0 } = {}) {
  let stored: ManagedAnnouncement = { ...opened, detail: '别人写的', revision: 5 };
  let closings = 0;
  const calls = show(<AnnouncementEditor announcement={opened} onClose={() => (closings += 1)} />, {
    [list]: () => {
      if (failures-- > 0) throw new ApiError({ type: 'network' });
      return { results: isDeleted ? [] : [stored] };
    },
    [patch]: (input) => {
      const { body } = input as { body: AnnouncementChange }; // the hook's request
      if (body.revision !== stored.revision) throw changedError();
      stored = { ...stored, ...body, revision: stored.revision + 1 };
      return stored;
    },
  });
  return {
    sent: () =>
      calls.filter(({ key }) => key === patch).map(({ input }) => (input as { body: AnnouncementChange }).body),
    closings: () => closings,
    saveByOther: () => (stored = { ...stored, revision: stored.revision + 1 }),
  };
}

const detail = () => screen.getByLabelText<HTMLTextAreaElement>('内容');
const save = () => fireEvent.click(screen.getByRole('button', { name: '保存' }));
const press = async (name: string) => fireEvent.click(await screen.findByRole('button', { name }));

function typeTime(label: string, value: string): void {
  fireEvent.change(screen.getByLabelText(label), { target: { value } });
  fireEvent.blur(screen.getByLabelText(label));
}

function write(text: string): void {
  fireEvent.change(detail(), { target: { value: text } });
}

test('a change does not overwrite a change by somebody else, and the form keeps its text', async () => {
  const page = open();
  write('我写的');
  save();

  await screen.findByText('这条公告刚刚被修改过');

  expect(page.sent()).toMatchObject([{ detail: '我写的', revision: 3 }]);
  expect(detail().value).toBe('我写的');
  expect(page.closings()).toBe(0);
});

test('the latest text can be loaded into the form and saved from there', async () => {
  const page = open();
  write('我写的');
  save();
  await press('载入最新内容');
  await waitFor(() => expect(detail().value).toBe('别人写的'));
  expect(screen.queryByText('这条公告刚刚被修改过')).toBeNull();

  write('别人写的，我补充的');
  save();

  await waitFor(() => expect(page.closings()).toBe(1));
  expect(page.sent().at(-1)).toMatchObject({ detail: '别人写的，我补充的', revision: 5 });
});

test('the user can overwrite the latest text on purpose', async () => {
  const page = open();
  write('我写的');
  save();
  await screen.findByText('这条公告刚刚被修改过');
  page.saveByOther();
  await press('仍然保存我的');

  await waitFor(() => expect(page.closings()).toBe(1));
  expect(page.sent()).toMatchObject([
    { detail: '我写的', revision: 3 },
    { detail: '我写的', revision: 6 },
  ]);
});

test('when the announcement was deleted the form says so and keeps its text', async () => {
  const page = open({ isDeleted: true });
  write('我写的');
  save();
  await press('仍然保存我的');

  await screen.findByText('这条公告已被删除，无法再保存。');

  expect(detail().value).toBe('我写的');
  expect(page.sent()).toHaveLength(1);
});

test('a failure to load the latest text is reported, and can be retried', async () => {
  const page = open({ failures: 1 });
  write('我写的');
  save();
  await press('载入最新内容');
  await screen.findByText(/网络/);

  await press('载入最新内容');

  await waitFor(() => expect(detail().value).toBe('别人写的'));
  expect(page.closings()).toBe(0);
});

test('times are sent as typed, in local time, and an empty one as null', async () => {
  const page = open();
  save();
  await press('载入最新内容');
  await waitFor(() => expect(detail().value).toBe('别人写的'));
  typeTime('开始时间', '2026-11-30 20:15');
  typeTime('结束时间', '2026-11-30 20:15');
  save();
  await screen.findByText('结束时间须晚于开始时间');

  typeTime('结束时间', '2026-12-01 08:00');
  save();

  await waitFor(() => expect(page.closings()).toBe(1));
  const [startsAt, endsAt] = [new Date(2026, 10, 30, 20, 15), new Date(2026, 11, 1, 8)];
  expect(page.sent()[0]).toMatchObject({ starts_at: null, ends_at: null });
  expect(page.sent().at(-1)).toMatchObject({ starts_at: startsAt.toISOString(), ends_at: endsAt.toISOString() });
});

test.each([
  ['2026-11-31 08:00', '没有这个日期或时间'],
  ['12/01/2026, 6:00 PM', '请按“2026-12-01 18:00”的格式填写'],
])('a time typed as %j is not sent: %s', async (typed, words) => {
  const page = open();
  typeTime('开始时间', typed);
  save();

  await screen.findByText(words);

  expect(screen.getByLabelText<HTMLInputElement>('开始时间').value).toBe(typed);
  expect(page.sent()).toEqual([]);
});
