import path from 'node:path';
import { GlobalFonts } from '@napi-rs/canvas';

/** The shapes of the two fonts differ enough that template matching fails. */
export const fontFamilies = ['Captcha Sans', 'Captcha Serif'] as const;
const files: Record<(typeof fontFamilies)[number], string> = {
  'Captcha Sans': 'sans.otf',
  'Captcha Serif': 'serif.otf',
};

/** Registers the fonts of `../fonts` with the canvas, once per process. */
export function loadFonts(): void {
  for (const family of fontFamilies) {
    if (GlobalFonts.has(family)) continue;
    const file = path.join(import.meta.dirname, '../fonts', files[family]);
    if (!GlobalFonts.registerFromPath(file, family)) throw new Error(`cannot read the font ${file}`);
  }
}
