import { at } from './pixels.ts';
import { likeness, meanOfRows, type Profile, type Rim, smooth } from './rims.ts';

const WINDOW = 4;
const MAX_SLOPE = 2.5;
/** Lines further from the gap may have another direction. */
const SLOPE_ROWS = 12;

/** The mean slant of the lines: the shift along the rim per row away from it, found by comparing rows. */
function meanSlope(rim: Rim): number {
  const rows = SLOPE_ROWS - 2;
  const [near, far] = [meanOfRows(rim, 0, 2), meanOfRows(rim, rows, 2)];
  let top = { score: -Infinity, slope: 0 };
  for (let shift = -rows * 2; shift <= rows * 2; shift++) {
    // The ends have no counterpart.
    const inner = near.subarray(Math.max(-shift, 0) * 3, near.length - Math.max(shift, 0) * 3);
    const score = likeness(inner, far.subarray(Math.max(shift, 0) * 3, far.length - Math.max(-shift, 0) * 3), 0);
    if (score > top.score) top = { score, slope: shift / rows };
  }
  return top.slope;
}

type Lean = { seen: number; slopesOf?: Rim };

/** Extrapolates a rim over `rows` of the gap with the mean slant. The colours are the mean of `seen` rows. */
export function leanOver(rim: Rim, rows: number, { seen, slopesOf = rim }: Lean): Profile {
  const slope = meanSlope(slopesOf);
  const out = new Float32Array(rim.length * 3);
  for (let row = 0; row < seen; row++) {
    const moved = Math.round(slope * (rows + 1 + row));
    for (let i = 0; i < rim.length; i++) {
      const from = row * rim.length + Math.min(Math.max(i + moved, 0), rim.length - 1);
      for (let channel = 0; channel < 3; channel++)
        out[i * 3 + channel] = at(out, i * 3 + channel) + at(rim.rgb, from * 3 + channel) / seen;
    }
  }
  return smooth(out, 1, false);
}

/** Extrapolates a rim over `rows` of the gap, each line with its own slant. */
export function followLines(
  rim: Rim,
  rows: number,
  { isClosed, seen, slopesOf = rim }: { isClosed: boolean; seen: number; slopesOf?: Rim },
): Profile {
  const { length } = rim;
  const out = new Float32Array(length * 3);
  const weight = new Float32Array(length).fill(1e-6);
  const slopes = localSlopes(slopesOf, isClosed);
  const near = smooth(alongLines(rim, slopes, { isClosed, seen: Math.min(seen, rim.depth) }), 1, isClosed);
  for (let i = 0; i < length; i++) {
    const { slope, strength } = slopes[i] ?? { slope: 0, strength: 0 };
    const to = Math.round(i - slope * (rows + 1));
    if (!isClosed && (to < 0 || to >= length)) continue;
    const place = (to + length * 8) % length;
    weight[place] = at(weight, place) + strength;
    for (let channel = 0; channel < 3; channel++)
      out[place * 3 + channel] = at(out, place * 3 + channel) + at(near, i * 3 + channel) * strength;
  }
  const means = [0, 1, 2].map((channel) => meanOf(near, channel));
  for (let i = 0; i < out.length; i++) {
    const sum = at(weight, Math.floor(i / 3));
    out[i] = sum > 1e-3 ? at(out, i) / sum : at(means, i % 3);
  }
  return smooth(out, 2, isClosed);
}

/** The mean of the first `seen` rows, each shifted along its line. */
function alongLines(
  rim: Rim,
  slopes: readonly Slope[],
  { isClosed, seen }: { isClosed: boolean; seen: number },
): Profile {
  const { length, rgb } = rim;
  const out = new Float32Array(length * 3);
  for (const [i, { slope }] of slopes.entries()) {
    for (let row = 0; row < seen; row++) {
      const to = Math.round(i + slope * row);
      const place = isClosed ? (to + length * 8) % length : Math.min(Math.max(to, 0), length - 1);
      for (let channel = 0; channel < 3; channel++)
        out[i * 3 + channel] = at(out, i * 3 + channel) + at(rgb, (row * length + place) * 3 + channel) / seen;
    }
  }
  return out;
}

function meanOf(profile: Profile, channel: number): number {
  let sum = 0;
  for (let i = channel; i < profile.length; i += 3) sum += at(profile, i);
  return (sum * 3) / profile.length;
}

type Slope = { slope: number; strength: number };

/** The direction of the lines at each place, from the structure tensor of the first rows. */
function localSlopes(rim: Rim, isClosed: boolean): Slope[] {
  const { length, depth } = rim;
  const soft = Array.from({ length: Math.min(depth, SLOPE_ROWS) - 1 }, (_, row) =>
    smooth(meanOfRows(rim, row, 2), 1, isClosed),
  );
  const tensor = Array.from({ length }, () => ({ xx: 0, xy: 0, yy: 0 }));
  for (let row = 1; row < soft.length - 1; row++) {
    const [before, here, after] = [soft[row - 1] as Profile, soft[row] as Profile, soft[row + 1] as Profile];
    for (let i = 3; i < length * 3 - 3; i++) {
      const [dx, dy] = [at(here, i + 3) - at(here, i - 3), at(after, i) - at(before, i)];
      const sums = tensor[Math.floor(i / 3)] as (typeof tensor)[0];
      sums.xx += dx * dx;
      sums.xy += dx * dy;
      sums.yy += dy * dy;
    }
  }
  return tensor.map((_, i) => {
    let [xx, xy, yy] = [0, 0, 0];
    for (let step = -WINDOW; step <= WINDOW; step++) {
      const sums = tensor[isClosed ? (i + step + length) % length : Math.min(Math.max(i + step, 0), length - 1)];
      xx += sums?.xx ?? 0;
      xy += sums?.xy ?? 0;
      yy += sums?.yy ?? 0;
    }
    const across = Math.atan2(2 * xy, xx - yy) / 2; // the direction of the steepest change; lines run across it
    const slope = -Math.tan(across);
    return Math.abs(slope) > MAX_SLOPE ? { slope: 0, strength: 0 } : { slope, strength: Math.sqrt(xx + yy) };
  });
}
