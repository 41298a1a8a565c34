import { decodePicture } from '@tongtu/server/testing/captcha';

/** An image as a script sees it: brightness and the three channels, row by row. */
export type Grey = { width: number; height: number; light: Float32Array };
export type Pixels = Grey & { rgba: Uint8ClampedArray };

export async function readPixels(dataUrl: string): Promise<Pixels> {
  const { width, height, rgba } = await decodePicture(dataUrl);
  const light = new Float32Array(width * height);
  for (let i = 0; i < light.length; i++) {
    const [red, green, blue] = [rgba[i * 4], rgba[i * 4 + 1], rgba[i * 4 + 2]] as [number, number, number];
    light[i] = 0.3 * red + 0.59 * green + 0.11 * blue;
  }
  return { width, height, light, rgba };
}

/** Reads an entry that is known to exist. */
export function at(values: ArrayLike<number>, index: number): number {
  return values[index] as number;
}

/** The mean of a square of 2·radius + 1 around each pixel, which reduces noise. */
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
    const start = line * lineStep;
    const end = start + (length - 1) * step;
    let sum = at(from, start) * (radius + 1);
    for (let i = 1; i <= radius; i++) sum += at(from, Math.min(start + i * step, end));
    for (let i = 0; i < length; i++) {
      const index = start + i * step;
      to[index] = sum / (2 * radius + 1);
      const next = from[Math.min(index + (radius + 1) * step, end)] as number;
      sum += next - (from[Math.max(index - radius * step, start)] as number);
    }
  }
}

/** The gradient of the brightness at each pixel, to the right and down. */
export function slopes({ width, height, light }: Grey): { dx: Float32Array; dy: Float32Array } {
  const dx = new Float32Array(light.length);
  const dy = new Float32Array(light.length);
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1; x < width - 1; x++) {
      const i = y * width + x;
      dx[i] = at(light, i + 1) - at(light, i - 1);
      dy[i] = at(light, i + width) - at(light, i - width);
    }
  }
  return { dx, dy };
}

/** The correlation of two rows of numbers, between -1 and 1. */
export function correlation(a: Float32Array, b: Float32Array): number {
  let [sumA, sumB, ab, aa, bb] = [0, 0, 0, 0, 0];
  for (let i = 0; i < a.length; i++) {
    const p = a[i] as number;
    const q = b[i] as number;
    sumA += p;
    sumB += q;
    ab += p * q;
    aa += p * p;
    bb += q * q;
  }
  const n = a.length;
  return (ab - (sumA * sumB) / n) / Math.sqrt((aa - (sumA * sumA) / n) * (bb - (sumB * sumB) / n) + 1e-3);
}
