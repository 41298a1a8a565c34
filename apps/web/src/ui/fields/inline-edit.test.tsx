import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { InlineEdit } from './inline-edit.tsx';

const save = vi.fn<(value: string) => Promise<string | undefined>>(async () => undefined);

const edit = (value: string) => <InlineEdit value={value} label="设备名称" maxLength={20} onSave={save} />;
let shown: ReturnType<typeof render>;

beforeEach(() => {
  save.mockClear();
  shown = render(edit('群晖'));
  fireEvent.click(editButton());
});
afterEach(cleanup);

const editButton = () => screen.getByRole('button', { name: '修改设备名称' });
const field = () => screen.getByLabelText<HTMLInputElement>('设备名称');

test('the whole text is selected, so that typing replaces it', () => {
  const { value, selectionStart, selectionEnd } = field();
  expect(value.slice(selectionStart ?? 0, selectionEnd ?? 0)).toBe('群晖');
});

test.each(['Enter', 'Escape'])('after %s the button has the focus again', async (key) => {
  fireEvent.change(field(), { target: { value: '书房' } });
  fireEvent.keyDown(field(), { key });
  await waitFor(() => expect(document.activeElement).toBe(editButton()));
  expect(save.mock.calls).toEqual(key === 'Enter' ? [['书房']] : []);
});

test('a refusal that arrives after Escape is not shown at the next edit', async () => {
  const refused = Promise.withResolvers<string>();
  save.mockReturnValueOnce(refused.promise);
  fireEvent.change(field(), { target: { value: '书房' } });
  fireEvent.keyDown(field(), { key: 'Enter' });
  fireEvent.keyDown(field(), { key: 'Escape' });
  refused.resolve('名称已被使用');
  await refused.promise;
  fireEvent.click(editButton());
  expect(screen.queryByRole('alert')).toBeNull();
  expect(field().value).toBe('群晖');
});

test('the answer to a former edit does not end the present one', async () => {
  const first = Promise.withResolvers<undefined>();
  save.mockReturnValueOnce(first.promise);
  fireEvent.change(field(), { target: { value: '书房' } });
  fireEvent.keyDown(field(), { key: 'Enter' });
  fireEvent.keyDown(field(), { key: 'Escape' });
  fireEvent.click(editButton());
  fireEvent.change(field(), { target: { value: '客厅' } });
  await act(async () => first.resolve(undefined));
  expect(field().value).toBe('客厅');
  fireEvent.keyDown(field(), { key: 'Enter' });
  await waitFor(() => expect(save.mock.calls).toEqual([['书房'], ['客厅']]));
});

test('nothing is typed while the answer is awaited; after a refusal the text is still there', async () => {
  const first = Promise.withResolvers<string>();
  save.mockReturnValueOnce(first.promise);
  fireEvent.change(field(), { target: { value: '书房' } });
  fireEvent.keyDown(field(), { key: 'Enter' });
  expect(field().readOnly).toBe(true);
  await act(async () => first.resolve('名称已被使用'));
  screen.getByText('名称已被使用');
  expect(field().value).toBe('书房');
  expect(field().readOnly).toBe(false);
});

test('a text that was only looked at does not replace what another page has saved meanwhile', () => {
  shown.rerender(edit('书房'));
  fireEvent.blur(field());
  expect(save).not.toHaveBeenCalled();
  expect(shown.container.textContent).toContain('书房');
});
