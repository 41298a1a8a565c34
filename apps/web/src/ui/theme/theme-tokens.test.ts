import { theme } from 'antd';
import { expect, test } from 'vitest';
import { createTheme } from './theme-tokens.ts';

/** The contrast ratio of WCAG 2.2. */
function contrastOf(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminanceOf(one), luminanceOf(other)].toSorted((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

function luminanceOf(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const share = Number.parseInt(color.slice(start, start + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

test.each(['colorPrimaryHover', 'colorErrorHover'] as const)('white stays readable on %s', (name) => {
  const token = theme.getDesignToken(createTheme({ isDark: false, hasMotion: false }));
  expect(contrastOf(token[name], '#ffffff')).toBeGreaterThanOrEqual(4.5);
});
