import { expect, test } from 'vitest';
import { bodyOf, fieldsOf } from './announcement-form.ts';

const saved = {
  ...{ id: 4, title: '维护', detail: '今晚升级', url: '', display: true, revision: 3 },
  ...{ created_at: '2026-11-20T08:00:00.000Z', starts_at: '2026-11-30T12:15:00.000Z', ends_at: null },
};

test('times are shown in local time and survive the round trip unchanged', () => {
  const fields = fieldsOf(saved);

  const local = new Date(saved.starts_at);
  expect(fields.startsAt).toMatch(/^2026-1[12]-\d{2} \d{2}:\d{2}$/);
  expect(Number(fields.startsAt.slice(11, 13))).toBe(local.getHours());
  expect(fields.endsAt).toBe('');
  expect(bodyOf(fields)).toMatchObject({ starts_at: saved.starts_at, ends_at: null });
});
