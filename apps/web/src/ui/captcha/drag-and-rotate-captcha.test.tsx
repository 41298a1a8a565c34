import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { DragCaptcha } from './drag-captcha.tsx';
import { type RotateAnswer, RotateCaptcha } from './rotate-captcha.tsx';
import { drag, mockLayout, images, tile } from './testing/widget-fixtures.ts';
import type { TileAnswer } from './tile.ts';

beforeEach(() => mockLayout(300));
afterEach(cleanup);

const events = { onRefresh: () => undefined, onClose: () => undefined };
const onPlaced = vi.fn<(answer: TileAnswer, reset: () => void) => void>();
const onTurned = vi.fn<(answer: RotateAnswer, reset: () => void) => void>();
beforeEach(() => vi.resetAllMocks());

const dragTile = () => screen.getByRole<HTMLButtonElement>('button', { name: /可拖拽的贴图/ });
const handle = () => screen.getByRole<HTMLButtonElement>('slider');

test('the tile can be dragged anywhere; releasing it confirms its corner and its trail', () => {
  render(<DragCaptcha data={tile} {...events} onConfirm={onPlaced} />);
  drag(dragTile(), { x: 30, y: 20 }, { x: 80.06, y: -12 });
  expect(onPlaced.mock.calls[0]?.[0]).toMatchObject({ x: 90.1, y: 21 });
  expect(onPlaced.mock.calls[0]?.[0].trail.map(({ x, y }) => [x, y])).toEqual([
    [10, 33],
    [40, 53],
    [90.1, 21],
  ]);
});

test('the tile stays inside the image', () => {
  render(<DragCaptcha data={tile} {...events} onConfirm={onPlaced} />);
  drag(dragTile(), { x: 900, y: 900 });
  drag(dragTile(), { x: -900, y: -900 });
  expect(onPlaced.mock.calls.map(([{ x, y }]) => [x, y])).toEqual([
    [250, 170],
    [0, 0],
  ]);
});

test('without an image there is no tile to drag', () => {
  render(<DragCaptcha data={{ ...tile, image: '' }} {...events} onConfirm={onPlaced} />);
  expect(screen.queryByRole('button', { name: /可拖拽的贴图/ })).toBeNull();
});

test('arrow keys move the tile, and Enter confirms', () => {
  render(<DragCaptcha data={tile} {...events} onConfirm={onPlaced} />);
  fireEvent.keyDown(dragTile(), { key: 'Enter' });
  expect(onPlaced).not.toHaveBeenCalled();
  fireEvent.keyDown(dragTile(), { key: 'ArrowRight', shiftKey: true });
  fireEvent.keyDown(dragTile(), { key: 'ArrowUp' });
  fireEvent.keyDown(dragTile(), { key: 'Enter' });
  expect(onPlaced.mock.calls[0]?.[0]).toMatchObject({ x: 20, y: 32 });
});

const round = { ...images, thumbSize: 132, angle: 90 };

test('the slider rotates the middle from its initial angle to a full turn', () => {
  render(<RotateCaptcha data={round} {...events} onConfirm={onTurned} />);
  expect(handle().getAttribute('aria-valuenow')).toBe('90');
  drag(handle(), { x: 120, y: 0 });
  drag(handle(), { x: 900, y: 0 });
  expect(onTurned.mock.calls.map(([{ angle }]) => angle)).toEqual([225, 360]);
});

test('a negative angle counts as 0, and the handle is disabled without an image', () => {
  const { rerender } = render(<RotateCaptcha data={{ ...round, angle: -50 }} {...events} onConfirm={onTurned} />);
  drag(handle(), { x: 1, y: 0 });
  expect(onTurned.mock.calls[0]?.[0].angle).toBe(0);
  rerender(<RotateCaptcha data={undefined} {...events} onConfirm={onTurned} />);
  expect(handle().disabled).toBe(true);
});

test('each arrow key rotates the middle by one degree', () => {
  render(<RotateCaptcha data={round} {...events} onConfirm={onTurned} />);
  for (const key of ['ArrowRight', 'ArrowUp', 'ArrowDown', 'ArrowRight']) fireEvent.keyDown(handle(), { key });
  fireEvent.keyDown(handle(), { key: 'Enter' });
  expect(onTurned.mock.calls[0]?.[0].angle).toBe(92);
});
