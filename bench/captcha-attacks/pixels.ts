import { decodePicture } from '@tongtu/server/testing/captcha';

/** A picture as a script sees it: brightness and the three channels, row by row. */
export type Grey = { width: number; height: number; light: Float32Array };
export type Pixels = Grey & { rgba: Uint8ClampedArray };

export async function readPixels(dataUrl: string): Promise<Pixels> {
  const { width, height, rgba } = await decodePicture(dataUrl);
  const light = new Float32Array(width * height);
  for (let i = 0; i < light.length; i++) {
    light[i] = 0.3 * at(rgba, i * 4) + 0.59 * at(rgba, i * 4 + 1) + 0.11 * at(rgba, i * 4 + 2);
  }
  return { width, height, light, rgba };
}

/** An entry that is known to be there. */
export function at(values: ArrayLike<number>, index: number): number {
  return values[index] as number;
}

/** Mean of a square of 2·radius + 1 around each pixel; takes the noise away. */
export function blur({ width, height, light }: Grey, radius: number): Grey {
  const rows = new Float32Array(light.length);
  const out = new Float32Array(light.length);
  pass(light, rows, { lines: height, length: width, lineStep: width, step: 1, radius });
  pass(rows, out, { lines: width, length: height, lineStep: 1, step: width, radius });
  return { width, height, light: out };
}

type Pass = { lines: number; length: number; lineStep: number; step: number; radius: number };

function pass(from: Float32Array, to: Float32Array, { lines, length, lineStep, step, radius }: Pass): void {
  for (let line = 0; line < lines; line++) {
    const index = (i: number) => line * lineStep + Math.min(Math.max(i, 0), length - 1) * step;
    let sum = 0;
    for (let i = -radius; i <= radius; i++) sum += at(from, index(i));
    for (let i = 0; i < length; i++) {
      to[index(i)] = sum / (2 * radius + 1);
      sum += at(from, index(i + radius + 1)) - at(from, index(i - radius));
    }
  }
}

/** How fast the brightness changes at each pixel. */
export function edges({ width, height, light }: Grey): Float32Array {
  const out = new Float32Array(light.length);
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1; x < width - 1; x++) {
      const i = y * width + x;
      out[i] = Math.hypot(at(light, i + 1) - at(light, i - 1), at(light, i + width) - at(light, i - width));
    }
  }
  return out;
}
