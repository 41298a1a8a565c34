import type { Place } from './answers.ts';
import { at, blur, type Pixels } from './pixels.ts';

const WANTED = 4;
const GLYPH = 36;

/** The difference between a pixel and its wider surroundings. Characters stand out. */
function contrast(image: Pixels): Float32Array {
  const near = blur(image, 1).light;
  const far = blur(image, 18).light;
  return near.map((light, i) => Math.min(Math.abs(light - at(far, i)), 90));
}

/** The centres of the `count` connected parts with the most contrast, at least a character apart. */
export function findParts(image: Pixels, count: number): Place[] {
  const { width, height } = image;
  const dense = blur({ width, height, light: contrast(image) }, GLYPH / 2).light;
  const places: Place[] = [];
  const left = Float32Array.from(dense);
  while (places.length < count) {
    let top = -1;
    let index = 0;
    for (let y = 18; y < height - 18; y++) {
      for (let x = 18; x < width - 18; x++) {
        if (at(left, y * width + x) > top) {
          index = y * width + x;
          top = at(left, index);
        }
      }
    }
    const place = { x: index % width, y: Math.floor(index / width) };
    places.push(place);
    for (let y = Math.max(place.y - 36, 0); y < Math.min(place.y + 36, height); y++) {
      for (let x = Math.max(place.x - 36, 0); x < Math.min(place.x + 36, width); x++) left[y * width + x] = -1;
    }
  }
  return places;
}

/** Any four of the parts, in any order. */
export function partsInAnyOrder(image: Pixels, random: () => number): Place[] {
  const parts = findParts(image, 8);
  return Array.from({ length: WANTED }, () => parts.splice(Math.floor(random() * parts.length), 1)[0] as Place);
}

const PATCH = 16;

/** A square of `size` around a point as 16 × 16 values, rotated by `turn` radians, with mean 0 and length 1. */
function patch(values: Float32Array, { width, height }: Pixels, middle: Place, size: number, turn = 0): Float32Array {
  const out = new Float32Array(PATCH * PATCH);
  const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
  for (let i = 0; i < out.length; i++) {
    const du = ((i % PATCH) / (PATCH - 1) - 0.5) * size;
    const dv = (Math.floor(i / PATCH) / (PATCH - 1) - 0.5) * size;
    const x = Math.round(middle.x + du * cos - dv * sin);
    const y = Math.round(middle.y + du * sin + dv * cos);
    out[i] = x < 0 || y < 0 || x >= width || y >= height ? 0 : at(values, y * width + x);
  }
  const mean = out.reduce((sum, value) => sum + value, 0) / out.length;
  const length = Math.sqrt(out.reduce((sum, value) => sum + (value - mean) ** 2, 1e-6));
  return out.map((value) => (value - mean) / length);
}

/**
 * Compares each character of the thumb with each part, at some offsets, sizes and `turns`, and takes the best free one.
 */
export function templateMatch(image: Pixels, thumb: Pixels, turns: readonly number[]): Place[] {
  const field = contrast(image);
  const parts = findParts(image, 9).map((place) => ({ place, patches: patchesOf(field, image, place, turns) }));
  const thumbField = contrast(thumb);
  const cell = thumb.width / WANTED;
  const chosen: Place[] = [];
  for (let i = 0; i < WANTED; i++) {
    const wanted = patch(thumbField, thumb, { x: cell * (i + 0.5), y: thumb.height / 2 }, 32);
    let top = { score: -Infinity, place: { x: 0, y: 0 } };
    for (const { place, patches } of parts) {
      if (chosen.includes(place)) continue;
      const score = Math.max(...patches.map((found) => likeness(wanted, found)));
      if (score > top.score) top = { score, place };
    }
    chosen.push(top.place);
  }
  return chosen;
}

const offsets = [
  [0, 0],
  [5, 0],
  [-5, 0],
  [0, 5],
  [0, -5],
] as const;

function patchesOf(field: Float32Array, image: Pixels, part: Place, turns: readonly number[]): Float32Array[] {
  return turns.flatMap((turn) =>
    [38, 45].flatMap((size) =>
      offsets.map(([dx, dy]) => patch(field, image, { x: part.x + dx, y: part.y + dy }, size, turn)),
    ),
  );
}

function likeness(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += at(a, i) * at(b, i);
  return sum;
}
