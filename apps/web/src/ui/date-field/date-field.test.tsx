import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { ConfigProvider, Form } from 'antd';
import zhCN from 'antd/locale/zh_CN';
import dayjs from 'dayjs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { setUpTimes } from '../../text/time.ts';
import { DateField } from './date-field.tsx';
import { dateRule } from './date-rule.ts';
import type { DateKind } from './date-text.ts';

let saved: string[] = [];
beforeEach(() => {
  setUpTimes();
  saved = [];
});
afterEach(cleanup);

function open(kind: DateKind, at = ''): HTMLInputElement {
  render(
    <ConfigProvider locale={zhCN} theme={{ token: { motion: false } }}>
      <Form initialValues={{ at }} onValuesChange={({ at: text = '' }) => saved.push(text)}>
        <Form.Item name="at" label="时间" rules={[dateRule(kind)]}>
          <DateField kind={kind} />
        </Form.Item>
      </Form>
    </ConfigProvider>,
  );
  return screen.getByLabelText<HTMLInputElement>('时间');
}

const type = (field: HTMLElement, value: string) => fireEvent.change(field, { target: { value } });
const day = (date: string) => screen.findByTitle(date);
const isCalendarOpen = () => {
  const calendar = document.querySelector('.ant-picker-dropdown');
  return calendar !== null && !calendar.classList.contains('ant-picker-dropdown-hidden');
};

test('what is typed counts when the field is left, written as all dates are', async () => {
  const field = open('datetime');
  type(field, '2026/12/1');
  type(field, '2026/12/1 8:5');
  expect(saved).toEqual([]);

  fireEvent.blur(field);

  expect(saved).toEqual(['2026-12-01 08:05']);
  expect(field.value).toBe('2026-12-01 08:05');
});

test('a date that does not exist stays to be seen, with a word, until it is put right', async () => {
  const field = open('date', '2026-02-01');
  type(field, '2026-02-30');
  fireEvent.blur(field);

  await screen.findByText('没有这个日期或时间');
  expect(field.value).toBe('2026-02-30');

  type(field, '2026-02-28');
  fireEvent.blur(field);

  await waitFor(() => expect(screen.queryByText('没有这个日期或时间')).toBeNull());
  expect(saved).toEqual(['2026-02-30', '2026-02-28']);
});

test('the calendar is Chinese and follows what is typed; a day that is picked replaces a mistake', async () => {
  const field = open('date', '2026-12-01');
  fireEvent.click(field);
  await screen.findByText('2026年');
  await screen.findByText('12月');
  type(field, '2027-03-05');
  await screen.findByText('2027年');
  type(field, '2027-03-55');

  const thisMonth = dayjs().date(15).format('YYYY-MM-DD');
  fireEvent.click(await day(thisMonth));

  expect(field.value).toBe(thisMonth);
  expect(saved.at(-1)).toBe(thisMonth);
});

test('a day is picked with the time that is there, or from midnight on', async () => {
  const field = open('datetime', '2026-12-01 18:30');
  fireEvent.click(field);
  fireEvent.click(await day('2026-12-24'));
  expect(field.value).toBe('2026-12-24 18:30');

  type(field, '');
  fireEvent.blur(field);
  const thisMonth = dayjs().date(15).format('YYYY-MM-DD');
  fireEvent.click(await day(thisMonth));

  expect(saved).toEqual(['2026-12-24 18:30', '', `${thisMonth} 00:00`]);
});

test('looking at another month or year picks nothing, and the day picked there keeps the time', async () => {
  const field = open('datetime', '2026-12-15 18:30');
  fireEvent.click(field);
  fireEvent.click(await screen.findByText('12月'));
  fireEvent.click(await day('2026-03'));
  await day('2026-03-10');
  expect(field.value).toBe('2026-12-15 18:30');

  fireEvent.click(screen.getByText('2026年'));
  fireEvent.click(await day('2027'));
  fireEvent.click(await day('2027-05'));
  await day('2027-05-10');
  expect(field.value).toBe('2026-12-15 18:30');

  // The very day that antd would have picked by itself.
  fireEvent.click(await day('2027-05-15'));

  expect(field.value).toBe('2027-05-15 18:30');
  expect(saved).toEqual(['2027-05-15 18:30']);
});

test('an empty field stays empty while months are looked at, and the calendar is itself again when it is opened anew', async () => {
  const field = open('date');
  fireEvent.click(field);
  fireEvent.click(await screen.findByText(dayjs().format('YYYY年')));
  const year = dayjs().add(1, 'year').format('YYYY');
  fireEvent.click(await day(year));
  fireEvent.click(await day(`${year}-03`));
  await day(`${year}-03-10`);
  fireEvent.click(screen.getByText('3月'));
  await day(`${year}-04`);
  fireEvent.keyDown(field, { key: 'Escape' });
  await waitFor(() => expect(isCalendarOpen()).toBe(false));
  expect(field.value).toBe('');

  fireEvent.click(field);
  const today = dayjs().format('YYYY-MM-DD');
  fireEvent.click(await day(today));

  expect(field.value).toBe(today);
  expect(saved).toEqual([today]);
});

test('the keyboard opens the calendar, moves through it and closes it', async () => {
  const field = open('datetime', '2026-12-31 18:30');
  fireEvent.keyDown(field, { key: 'PageDown' });
  expect(isCalendarOpen()).toBe(false);

  fireEvent.keyDown(field, { key: 'ArrowDown' });
  await day('2026-12-31');
  fireEvent.keyDown(field, { key: 'ArrowDown' });
  fireEvent.keyDown(field, { key: 'PageUp' });
  expect(field.value).toBe('2026-12-01 18:30');

  const wasLetThrough = fireEvent.keyDown(field, { key: 'Enter' });

  expect(wasLetThrough).toBe(false); // or it would send the form
  await waitFor(() => expect(isCalendarOpen()).toBe(false));
  expect(fireEvent.keyDown(field, { key: 'Enter' })).toBe(true);
});

test('Enter and Escape take what is typed, for the form must know of it', () => {
  const field = open('time', '08:00');
  type(field, '9:5');
  fireEvent.keyDown(field, { key: 'Enter' });
  type(field, '10:00');
  fireEvent.keyDown(field, { key: 'Escape' });
  expect(saved).toEqual(['09:05', '10:00']);
});
