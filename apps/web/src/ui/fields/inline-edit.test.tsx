import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { InlineEdit } from './inline-edit.tsx';

const save = vi.fn<(value: string) => Promise<string | undefined>>(async () => undefined);

beforeEach(() => {
  save.mockClear();
  render(<InlineEdit value="群晖" label="设备名称" maxLength={20} onSave={save} />);
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
