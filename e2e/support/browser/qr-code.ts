import { createCanvas, loadImage } from '@napi-rs/canvas';
import jsqr from 'jsqr';
import type { Locator } from 'playwright-core';

type Point = { x: number; y: number };

/** The error correction levels by their two bits as drawn: light is 0. */
const levels = ['H', 'Q', 'M', 'L'] as const;

export type QrCode = { text: string; level: (typeof levels)[number] };

/** The text of a QR code on the screen, its background, and its error correction level. */
export async function readQrCode(canvas: Locator): Promise<QrCode> {
  const { data, width, height } = await readPixels(canvas);
  // Like a phone, which expects dark on light. NOTE: the library is CommonJS, whose default export is a property.
  const code = jsqr.default(data, width, height, { inversionAttempts: 'dontInvert' });
  if (code === null) throw new Error('nobody can read this QR code');
  const { topLeftCorner, topRightCorner, bottomLeftCorner } = code.location;
  const modules = 17 + 4 * code.version;
  /** Whether the module of this column and row is dark. */
  const isDark = (column: number, row: number): boolean => {
    const along = (from: Point, to: Point, at: number, axis: 'x' | 'y') =>
      ((to[axis] - from[axis]) * (at + 0.5)) / modules;
    const place = (axis: 'x' | 'y') =>
      Math.floor(
        topLeftCorner[axis] +
          along(topLeftCorner, topRightCorner, column, axis) +
          along(topLeftCorner, bottomLeftCorner, row, axis),
      );
    return (data[(place('y') * width + place('x')) * 4] ?? 255) < 128;
  };
  // ISO/IEC 18004, format information: its first two bits are the level, 01 for L, drawn XOR 10.
  const shown = Number(isDark(0, 8)) * 2 + Number(isDark(1, 8));
  return { text: code.data, level: levels[shown] ?? 'H' };
}

/** The image as it is on the screen. It is decoded here: a page would hand over each of its bytes as a number. */
async function readPixels(canvas: Locator): Promise<{ data: Uint8ClampedArray; width: number; height: number }> {
  const image = await loadImage(await canvas.locator('..').screenshot());
  const { width, height } = image;
  const context = createCanvas(width, height).getContext('2d');
  context.drawImage(image, 0, 0);
  return { width, height, data: context.getImageData(0, 0, width, height).data };
}
