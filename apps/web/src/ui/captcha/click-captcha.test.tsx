import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { createRef } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { CaptchaWidget } from './captcha-widget.ts';
import { ClickCaptcha, type ClickDot } from './click-captcha.tsx';
import { mockLayout, images } from './testing/widget-fixtures.ts';

beforeEach(() => mockLayout(300));
afterEach(cleanup);

const onConfirm = vi.fn<(dots: readonly ClickDot[], reset: () => void) => void>();
const onRefresh = vi.fn<() => void>();
const onClose = vi.fn<() => void>();
const events = { onConfirm, onRefresh, onClose };
beforeEach(() => vi.clearAllMocks());

const image = () => screen.getByRole('application');
const confirmButton = () => screen.getByRole<HTMLButtonElement>('button', { name: '确认' });
const places = () => (onConfirm.mock.calls[0]?.[0] ?? []).map(({ index, x, y }) => [index, x, y]);

function clickAt(x: number, y: number): void {
  fireEvent.click(image(), { clientX: x, clientY: y });
}

test('the confirm button is disabled until there is an image', () => {
  const { rerender } = render(<ClickCaptcha data={undefined} {...events} />);
  expect(confirmButton().disabled).toBe(true);
  expect(screen.queryByRole('application')).toBeNull();

  rerender(<ClickCaptcha data={{ image: '', thumb: '' }} {...events} />);
  expect(confirmButton().disabled).toBe(true);
  rerender(<ClickCaptcha data={images} {...events} />);
  expect(confirmButton().disabled).toBe(false);
});

test('dots are numbered from 1 in the order of the clicks, each with its time', () => {
  render(<ClickCaptcha data={images} {...events} />);
  clickAt(40, 50);
  clickAt(200, 180);
  fireEvent.click(confirmButton());

  expect(places()).toEqual([
    [1, 40, 50],
    [2, 200, 180],
  ]);
  const [first, second] = onConfirm.mock.calls[0]?.[0] ?? [];
  expect(first?.key).toBeTypeOf('number');
  expect(second?.key).toBeGreaterThanOrEqual(first?.key ?? Infinity);
});

test('on a narrow screen dots are still in pixels of the image', () => {
  mockLayout(150);
  render(<ClickCaptcha data={images} {...events} />);
  clickAt(75, 55);
  fireEvent.click(confirmButton());
  expect(places()).toEqual([[1, 150, 110]]);
});

test('nothing is confirmed before the first click', () => {
  render(<ClickCaptcha data={images} {...events} />);
  fireEvent.click(confirmButton());
  expect(onConfirm).not.toHaveBeenCalled();
});

test('only the last dot can be removed', () => {
  render(<ClickCaptcha data={images} {...events} />);
  clickAt(40, 50);
  clickAt(200, 180);
  expect(screen.getByRole<HTMLButtonElement>('button', { name: '撤销第 1 个点' }).disabled).toBe(true);
  fireEvent.click(screen.getByRole('button', { name: '撤销第 2 个点' }));
  fireEvent.click(confirmButton());
  expect(places()).toEqual([[1, 40, 50]]);
});

test('by keyboard arrows move a cross-hair, space clicks, backspace removes and Enter confirms', () => {
  render(<ClickCaptcha data={images} {...events} />);
  const press = (key: string, shiftKey = false) => fireEvent.keyDown(image(), { key, shiftKey });
  press('ArrowLeft', true);
  press('ArrowUp');
  press(' ');
  press('ArrowDown', true);
  press(' ');
  press(' ');
  press('Backspace');
  press('Enter');
  expect(places()).toEqual([
    [1, 140, 109],
    [2, 140, 119],
  ]);
});

test('the callback of the confirmation clears the dots', () => {
  render(<ClickCaptcha data={images} {...events} />);
  clickAt(40, 50);
  onConfirm.mockImplementation((_dots, reset) => reset());
  fireEvent.click(confirmButton());
  expect(screen.queryByRole('button', { name: /个点/ })).toBeNull();
});

test('close and refresh call back and clear the dots', () => {
  render(<ClickCaptcha data={images} {...events} />);
  clickAt(40, 50);
  fireEvent.click(screen.getByRole('button', { name: '换一张图片' }));
  expect(onRefresh).toHaveBeenCalledOnce();
  expect(screen.queryByRole('button', { name: /个点/ })).toBeNull();
  clickAt(40, 50);
  fireEvent.click(screen.getByRole('button', { name: '关闭' }));
  expect(onClose).toHaveBeenCalledOnce();
  expect(screen.queryByRole('button', { name: /个点/ })).toBeNull();
});

test('a new challenge starts without dots', () => {
  const { rerender } = render(<ClickCaptcha data={images} {...events} />);
  clickAt(40, 50);
  rerender(<ClickCaptcha data={{ ...images }} {...events} />);
  expect(screen.queryByRole('button', { name: /个点/ })).toBeNull();
});

test('clear removes the images too', async () => {
  const widget = createRef<CaptchaWidget>();
  render(<ClickCaptcha ref={widget} data={images} {...events} />);
  expect(document.querySelectorAll('img')).toHaveLength(2);
  clickAt(40, 50);
  widget.current?.clear();
  await expect.poll(() => document.querySelectorAll('img')).toHaveLength(0);
  expect(confirmButton().disabled).toBe(true);
});

test('while an answer is checked clicks are ignored', () => {
  render(<ClickCaptcha data={images} {...events} isDisabled />);
  clickAt(40, 50);
  expect(screen.queryByRole('button', { name: /个点/ })).toBeNull();
  expect(confirmButton().disabled).toBe(true);
});
