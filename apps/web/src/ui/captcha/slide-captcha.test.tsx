import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { SlideCaptcha } from './slide-captcha.tsx';
import { drag, mockLayout, tile } from './testing/widget-fixtures.ts';
import type { TileAnswer } from './tile.ts';

beforeEach(() => mockLayout(300));
afterEach(cleanup);

const onConfirm = vi.fn<(answer: TileAnswer, reset: () => void) => void>();
const onRefresh = vi.fn<() => void>();
const events = { onConfirm, onRefresh, onClose: () => undefined };
beforeEach(() => vi.resetAllMocks());

const handle = () => screen.getByRole<HTMLButtonElement>('slider');
const answer = () => onConfirm.mock.calls[0]?.[0];
const value = () => Number(handle().getAttribute('aria-valuenow'));
const down = { pointerId: 1, button: 0, clientX: 0, clientY: 0 };

test('the handle is disabled without an image', () => {
  render(<SlideCaptcha data={{ ...tile, image: '' }} {...events} />);
  expect(handle().disabled).toBe(true);
  drag(handle(), { x: 100, y: 0 });
  expect(onConfirm).not.toHaveBeenCalled();
});

test('releasing the handle confirms the tile’s place and the handle’s trail', () => {
  render(<SlideCaptcha data={tile} {...events} />);
  drag(handle(), { x: 60, y: 2 }, { x: 120, y: -1 });
  // Half of the handle's track is half of the tile's range.
  expect(answer()).toMatchObject({ x: 130, y: 33 });
  expect(answer()?.trail.map(({ x, y }) => [x, y])).toEqual([
    [0, 0],
    [60, 2],
    [120, -1],
  ]);
});

test('the handle stays on its track at both ends', () => {
  render(<SlideCaptcha data={tile} {...events} />);
  drag(handle(), { x: 5000, y: 0 });
  expect(answer()).toMatchObject({ x: 250 });
  onConfirm.mockClear();
  fireEvent.pointerDown(handle(), down);
  fireEvent.pointerMove(handle(), { pointerId: 1, clientX: -5000, clientY: 0 });
  expect(value()).toBe(10);
  fireEvent.pointerUp(handle(), down);
  expect(answer()).toMatchObject({ x: 10 });
});

test('a place left of the image is not confirmed', () => {
  render(<SlideCaptcha data={{ ...tile, thumbX: -40 }} {...events} />);
  drag(handle(), { x: 5, y: 0 });
  expect(onConfirm).not.toHaveBeenCalled();
});

test('a press without a move confirms nothing', () => {
  render(<SlideCaptcha data={tile} {...events} />);
  drag(handle());
  expect(onConfirm).not.toHaveBeenCalled();
});

test('a drag that the system cancels confirms nothing and resets the handle', () => {
  render(<SlideCaptcha data={tile} {...events} />);
  fireEvent.pointerDown(handle(), down);
  fireEvent.pointerMove(handle(), { pointerId: 1, clientX: 90, clientY: 0 });
  expect(value()).toBe(100);
  fireEvent.pointerCancel(handle(), { pointerId: 1 });
  expect(value()).toBe(10);
  expect(onConfirm).not.toHaveBeenCalled();
});

test('a second finger does not disturb the first', () => {
  render(<SlideCaptcha data={tile} {...events} />);
  fireEvent.pointerDown(handle(), down);
  fireEvent.pointerMove(handle(), { pointerId: 1, clientX: 120, clientY: 0 });
  fireEvent.pointerDown(handle(), { ...down, pointerId: 2 });
  fireEvent.pointerMove(handle(), { pointerId: 2, clientX: 10, clientY: 0 });
  fireEvent.pointerUp(handle(), { pointerId: 2 });
  expect(onConfirm).not.toHaveBeenCalled();
  fireEvent.pointerUp(handle(), { pointerId: 1 });
  expect(answer()).toMatchObject({ x: 130 });
});

test('during a drag a new challenge waits, and the refresh button is disabled', () => {
  const later = { ...tile, image: 'data:image/png;base64,LATER', thumbX: 0 };
  const onLaterConfirm = vi.fn<() => void>();
  const { rerender } = render(<SlideCaptcha data={tile} {...events} />);
  const image = () => document.querySelector('img')?.getAttribute('src');
  fireEvent.pointerDown(handle(), down);
  rerender(<SlideCaptcha data={later} {...events} onConfirm={onLaterConfirm} />);
  expect(image()).toBe(tile.image);
  expect(screen.getByRole<HTMLButtonElement>('button', { name: '换一张图片' }).disabled).toBe(true);
  fireEvent.pointerMove(handle(), { pointerId: 1, clientX: 120, clientY: 0 });
  fireEvent.pointerUp(handle(), { pointerId: 1 });

  expect(answer()).toMatchObject({ x: 130 });
  expect(onLaterConfirm).not.toHaveBeenCalled();
  expect(image()).toBe(later.image);
  expect(value()).toBe(0);
});

test('each arrow key moves the tile by one pixel, by ten with Shift, and Enter confirms', () => {
  render(<SlideCaptcha data={tile} {...events} />);
  fireEvent.keyDown(handle(), { key: 'Enter' });
  expect(onConfirm).not.toHaveBeenCalled();
  for (const shiftKey of [true, true, false, false]) fireEvent.keyDown(handle(), { key: 'ArrowRight', shiftKey });
  fireEvent.keyDown(handle(), { key: 'ArrowLeft' });
  fireEvent.keyDown(handle(), { key: 'Enter' });
  expect(answer()).toMatchObject({ x: 31, y: 33 });
  expect(answer()?.trail).toHaveLength(6);
});

test('the callback of the confirmation resets the tile', () => {
  onConfirm.mockImplementation((_answer, reset) => reset());
  render(<SlideCaptcha data={tile} {...events} />);
  drag(handle(), { x: 120, y: 0 });
  expect(value()).toBe(10);
});

test('on a narrow screen the answer is still in pixels of the image', () => {
  mockLayout(150);
  render(<SlideCaptcha data={tile} {...events} />);
  drag(handle(), { x: 60, y: 0 });
  expect(answer()).toMatchObject({ x: 130 });
});
