import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { CaptchaButton } from './captcha-button.tsx';
import { ClickCaptcha } from './click-captcha.tsx';
import { DragCaptcha } from './drag-captcha.tsx';
import { RotateCaptcha } from './rotate-captcha.tsx';
import { SlideCaptcha } from './slide-captcha.tsx';
import { layOut, pictures, tile } from './testing/widget-fixtures.ts';

// Specification §9: the words, and what of the numbers is no size on the screen (those are looked at in a browser).

beforeEach(() => layOut(300));
afterEach(cleanup);

const events = { onConfirm: () => undefined, onRefresh: () => undefined, onClose: () => undefined };

test('points are clicked under 请在下图依次点击, and confirmed by 确认', () => {
  render(<ClickCaptcha data={pictures} {...events} />);
  expect(screen.getByText('请在下图依次点击')).toBeTruthy();
  expect(screen.getByRole('button', { name: '确认' }).textContent).toBe('确认');
});

test('the slider is dragged under 请拖动滑块完成拼图', () => {
  render(<SlideCaptcha data={tile} {...events} />);
  expect(screen.getByText('请拖动滑块完成拼图')).toBeTruthy();
});

test('the tile is dragged under 请拖拽贴图完成拼图', () => {
  render(<DragCaptcha data={tile} {...events} />);
  expect(screen.getByText('请拖拽贴图完成拼图')).toBeTruthy();
});

test('the button says 点击按键进行验证', () => {
  render(<CaptchaButton />);
  expect(screen.getByRole('button').textContent).toBe('点击按键进行验证');
});

test('a picture is turned from 0 to 360 degrees', () => {
  render(<RotateCaptcha data={{ ...pictures, thumbSize: 120, angle: 0 }} {...events} />);
  const slider = screen.getByRole('slider');
  expect([slider.getAttribute('aria-valuemin'), slider.getAttribute('aria-valuemax')]).toEqual(['0', '360']);
});
