/** Draws the icons of the console on a phone's home screen from its logo: `node tools/draw-app-icons.ts`. */
import { createCanvas, loadImage } from '@napi-rs/canvas';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

const folder = path.resolve(import.meta.dirname, '../apps/web/public');
const sizesPx = [192, 512];
/** Systems cut icons into a shape of their own. What is within four fifths of the width stays (W3C, maskable icons). */
const logoShare = 0.8;

const logo = await readFile(path.join(folder, 'favicon.svg'), 'utf8');
const ground = /<rect[^>]* fill="([^"]+)"/.exec(logo)?.[1];
if (ground === undefined) throw new Error('the logo has no ground');

for (const sizePx of sizesPx) {
  const canvas = createCanvas(sizePx, sizePx);
  const context = canvas.getContext('2d');
  context.fillStyle = ground;
  context.fillRect(0, 0, sizePx, sizePx);
  const logoPx = sizePx * logoShare;
  const sized = logo.replace('<svg ', `<svg width="${logoPx}" height="${logoPx}" `);
  const marginPx = (sizePx - logoPx) / 2;
  context.drawImage(await loadImage(Buffer.from(sized)), marginPx, marginPx, logoPx, logoPx);
  await writeFile(path.join(folder, `app-icon-${sizePx}.png`), await canvas.encode('png'));
}
