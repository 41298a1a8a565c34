import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { FirstSteps } from '@tongtu/contract';
import { afterEach, expect, test } from 'vitest';
import { show } from '../../../testing/show.tsx';
import { FirstStepsCard } from './first-steps-card.tsx';
import { useShownFirstSteps } from './use-first-steps.ts';

afterEach(cleanup);

const read = 'GET /api/manage/first_steps/';
const note = 'PATCH /api/manage/first_steps/';

function Steps() {
  const { data: steps } = useShownFirstSteps();
  return steps ? <FirstStepsCard steps={steps} /> : <p>没有步骤</p>;
}

function open(given: Partial<FirstSteps> = {}, { isSuperuser = true } = {}) {
  const steps = { is_shown: true, password: true, second_factor: false, alert: false, domain: false, backup: false };
  const state: FirstSteps = { ...steps, ...given };
  return show(<Steps />, {
    'GET /api/profile/': () => [{ id: 1, token: 'tt_x', is_superuser: isSuperuser }],
    [read]: () => ({ ...state }),
    [note]: (input) => Object.assign(state, (input as { body: object }).body), // the type of this call's body
  });
}

test('each step that is not done leads to its place', async () => {
  open();
  await screen.findByText('已完成 1 / 5');
  expect(screen.getByRole('link', { name: '去启用' }).getAttribute('href')).toBe('/user/info?section=second-factor');
  expect(screen.getByRole('link', { name: '去添加' }).getAttribute('href')).toBe('/user/info?section=alerts');
  expect(screen.queryByText('修改密码')).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: '怎么设置' }));
  await screen.findByText(/BASE_DOMAIN=example.com/);
});

test('the backup is ticked by hand', async () => {
  const calls = open();
  fireEvent.click(await screen.findByRole('button', { name: '怎么备份' }));
  fireEvent.click(await screen.findByRole('button', { name: '已经设好' }));
  await screen.findByText('已完成 2 / 5');
  expect(calls.find(({ key }) => key === note)?.input).toEqual({ body: { backup: true } });
});

test('the card is dismissed after a question', async () => {
  open();
  fireEvent.click(await screen.findByRole('button', { name: '不再显示' }));
  const question = await screen.findByRole('dialog');
  fireEvent.click(within(question).getByRole('button', { name: '不再显示' }));
  await screen.findByText('没有步骤');
});

test.each([
  ['when all is done', { second_factor: true, alert: true, domain: true, backup: true }, true],
  ['when they were dismissed', { is_shown: false }, true],
  ['to others', {}, false],
])('no steps are shown %s', async (_when, given, isSuperuser) => {
  const calls = open(given, { isSuperuser });
  await screen.findByText('没有步骤');
  await waitFor(() => expect(calls.some(({ key }) => key === 'GET /api/profile/')).toBe(true));
  if (!isSuperuser) expect(calls.some(({ key }) => key === read)).toBe(false);
});
