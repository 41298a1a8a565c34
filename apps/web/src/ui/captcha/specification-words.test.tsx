import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CaptchaButton } from './captcha-button.tsx';
import { ClickCaptcha } from './click-captcha.tsx';
import { DragCaptcha } from './drag-captcha.tsx';
import { RotateCaptcha } from './rotate-captcha.tsx';
import { SlideCaptcha } from './slide-captcha.tsx';
import { drag, mockLayout, images, tile } from './testing/widget-fixtures.ts';

// Texts and numbers of specification §9. Sizes on the screen are tested in a browser.

beforeEach(() => mockLayout(300));
afterEach(cleanup);

const events = { onConfirm: () => undefined, onRefresh: () => undefined, onClose: () => undefined };

test('the click captcha says 请在下图依次点击 and 确认', () => {
  render(<ClickCaptcha data={images} {...events} />);
  expect(screen.getByText('请在下图依次点击')).toBeTruthy();
  expect(screen.getByRole('button', { name: '确认' }).textContent).toBe('确认');
});

test('the slide captcha says 请拖动滑块完成拼图', () => {
  render(<SlideCaptcha data={tile} {...events} />);
  expect(screen.getByText('请拖动滑块完成拼图')).toBeTruthy();
});

test('the drag captcha says 请拖拽贴图完成拼图', () => {
  render(<DragCaptcha data={tile} {...events} />);
  expect(screen.getByText('请拖拽贴图完成拼图')).toBeTruthy();
});

test('the button says 点击按键进行验证', () => {
  render(<CaptchaButton />);
  expect(screen.getByRole('button').textContent).toBe('点击按键进行验证');
});

test('an image rotates from 0 to 360 degrees', () => {
  render(<RotateCaptcha data={{ ...images, thumbSize: 120, angle: 0 }} {...events} />);
  const slider = screen.getByRole('slider');
  expect([slider.getAttribute('aria-valuemin'), slider.getAttribute('aria-valuemax')]).toEqual(['0', '360']);
});

const { thumbWidth: _width, thumbHeight: _height, ...sizelessTile } = tile;

test('a tile without a size is 150 × 40 in the image of 300 × 220', () => {
  const { container } = render(<SlideCaptcha data={sizelessTile} {...events} />);
  const style = container.querySelector<HTMLElement>(`img[src="${tile.thumb}"]`)?.parentElement?.style;
  expect([style?.width, style?.height]).toEqual(['50%', `${(40 / 220) * 100}%`]);
  expect(screen.getByRole('slider').getAttribute('aria-valuemax')).toBe('150');
});

test('a tile without a size stays inside the image', () => {
  const onConfirm = vi.fn<(answer: { x: number; y: number }) => void>();
  render(<DragCaptcha data={sizelessTile} {...events} onConfirm={onConfirm} />);
  drag(screen.getByRole('button', { name: /^可拖拽的贴图/ }), { x: 5000, y: 5000 });
  expect(onConfirm.mock.calls[0]?.[0]).toMatchObject({ x: 150, y: 180 });
});
