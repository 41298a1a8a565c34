import path from 'node:path';
import { GlobalFonts } from '@napi-rs/canvas';

/** What is drawn with either looks different enough that one cannot be laid over the other. */
export const fontFamilies = ['Captcha Sans', 'Captcha Serif'] as const;
const files: Record<(typeof fontFamilies)[number], string> = {
  'Captcha Sans': 'sans.otf',
  'Captcha Serif': 'serif.otf',
};

/** Makes the fonts of `../fonts` known to the canvas; needed once in a process, harmless again. */
export function loadFonts(): void {
  for (const family of fontFamilies) {
    if (GlobalFonts.has(family)) continue;
    const file = path.join(import.meta.dirname, '../fonts', files[family]);
    if (!GlobalFonts.registerFromPath(file, family)) throw new Error(`cannot read the font ${file}`);
  }
}
