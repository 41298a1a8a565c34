import { at, type Pixels } from './pixels.ts';

/** A rim: `depth` rows of colours along one side of a gap, the row next to the gap first. */
export type Rim = { length: number; depth: number; rgb: Float32Array };
/** The two rims on both sides of a gap. Those of a circle have no ends. */
export type Joint = { outer: Rim; inner: Rim; isClosed: boolean };
/** Three values for each place along a rim. */
export type Profile = Float32Array;

const STEPS = 360;

type Start = { x: number; y: number; length: number; towards: 1 | -1 };

/** Reads a rim along a row of the image, away from the gap upwards (-1) or downwards (1). */
export function straightRim({ width, height, rgba }: Pixels, { x, y, length, towards }: Start, depth: number): Rim {
  const rgb = new Float32Array(length * depth * 3);
  for (let row = 0; row < depth; row++) {
    const from = (Math.min(Math.max(y + row * towards, 0), height - 1) * width + x) * 4;
    for (let i = 0; i < length; i++) {
      for (let channel = 0; channel < 3; channel++)
        rgb[(row * length + i) * 3 + channel] = at(rgba, from + i * 4 + channel);
    }
  }
  return { length, depth, rgb };
}

/** Reads a rim around the centre of an image, outwards (1) or inwards (-1). Each value is the mean of a few pixels. */
export function roundRim({ width, rgba }: Pixels, radius: number, towards: 1 | -1, depth: number): Rim {
  const rgb = new Float32Array(STEPS * depth * 3);
  const middle = width / 2;
  for (let row = 0; row < depth; row++) {
    for (let i = 0; i < STEPS; i++) {
      const angle = (i * Math.PI * 2) / STEPS;
      const x = middle + Math.cos(angle) * (radius + row * towards) - 0.5;
      const y = middle + Math.sin(angle) * (radius + row * towards) - 0.5;
      const from = Math.floor(y) * width + Math.floor(x);
      for (let channel = 0; channel < 3; channel++) {
        let sum = 0;
        for (const step of [0, 1, width, width + 1]) sum += at(rgba, (from + step) * 4 + channel);
        rgb[(row * STEPS + i) * 3 + channel] = sum / 4;
      }
    }
  }
  return { length: STEPS, depth, rgb };
}

/** The mean of some rows, beginning with the `first` one counted from the gap. */
export function meanOfRows({ length, rgb }: Rim, first: number, rows: number): Profile {
  const out = new Float32Array(length * 3);
  for (let row = first; row < first + rows; row++) {
    for (let i = 0; i < out.length; i++) out[i] = at(out, i) + at(rgb, row * length * 3 + i) / rows;
  }
  return out;
}

/** Smooths a rim along its length. */
export function smooth(profile: Profile, radius: number, isClosed: boolean): Profile {
  const length = profile.length / 3;
  const out = new Float32Array(profile.length);
  for (let i = 0; i < length; i++) {
    for (let step = -radius; step <= radius; step++) {
      const from = isClosed ? (i + step + length) % length : Math.min(Math.max(i + step, 0), length - 1);
      for (let channel = 0; channel < 3; channel++)
        out[i * 3 + channel] = at(out, i * 3 + channel) + at(profile, from * 3 + channel) / (2 * radius + 1);
    }
  }
  return out;
}

/** Removes the brightness, so that only hue is left. */
export function huesOf({ length, depth, rgb }: Rim): Rim {
  const out = new Float32Array(rgb.length);
  for (let i = 0; i < rgb.length; i += 3) {
    const mean = (at(rgb, i) + at(rgb, i + 1) + at(rgb, i + 2)) / 3;
    for (let channel = 0; channel < 3; channel++) out[i + channel] = at(rgb, i + channel) - mean;
  }
  return { length, depth, rgb: out };
}

/** The change from each place to the next. */
export function changes(profile: Profile): Profile {
  return profile.map((value, i) => Math.abs(at(profile, (i + 3) % profile.length) - value));
}

/** Repeats a circular rim once, so that no part of it crosses its end. */
export function unrolled(profile: Profile, isClosed: boolean): Profile {
  if (!isClosed) return profile;
  const out = new Float32Array(profile.length * 2);
  out.set(profile);
  out.set(profile, profile.length);
  return out;
}

/**
 * The similarity of an inner to an outer profile at a shift, between -1 and 1: the mean correlation of the channels.
 */
export function likeness(inner: Profile, outer: Profile, shift: number): number {
  const length = inner.length / 3;
  let sum = 0;
  for (let channel = 0; channel < 3; channel++) {
    let [a, b, ab, aa, bb] = [0, 0, 0, 0, 0];
    for (let i = channel; i < inner.length; i += 3) {
      // Inlined for speed: `at` is called with arrays of many shapes, so V8 cannot optimize it.
      const p = inner[i] as number;
      const q = outer[i + shift * 3] as number;
      a += p;
      b += q;
      ab += p * q;
      aa += p * p;
      bb += q * q;
    }
    sum += (ab - (a * b) / length) / Math.sqrt((aa - (a * a) / length) * (bb - (b * b) / length) + 1e-3);
  }
  return sum / 3;
}

/** The mean absolute difference after both have the same mean; 0 is equal. */
export function difference(inner: Profile, outer: Profile, shift: number): number {
  const length = inner.length / 3;
  let sum = 0;
  for (let channel = 0; channel < 3; channel++) {
    let mean = 0;
    for (let i = channel; i < inner.length; i += 3)
      mean += ((inner[i] as number) - (outer[i + shift * 3] as number)) / length;
    for (let i = channel; i < inner.length; i += 3)
      sum += Math.abs((inner[i] as number) - (outer[i + shift * 3] as number) - mean);
  }
  return sum / length;
}
