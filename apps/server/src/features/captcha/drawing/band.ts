import type { SKRSContext2D } from '@napi-rs/canvas';
import { between, pick, pickSome } from './random.ts';

export type Point = { x: number; y: number };
type Ink = { hue: number; saturation: number; tone: number };
/** The two colours of a band's stripes, which differ in brightness and hue. */
export type Stripes = { dark: Ink; light: Ink };
/** A striped line through a picture. It leads the eye over the gap. */
export type Band = { way: readonly Point[]; widthPixels: number; stripePixels: number; inks: Stripes };

const QUARTER_TURN = 90;

/**
 * Makes all four pairs of two dark and two light inks with four hues. Stripes of one hue are not enough: a script that
 * ignores brightness sees such a band as one line and finds three of four places.
 */
export function makeStripes(): Stripes[] {
  const first = between(0, 360);
  const ink = (turn: number, from: number, to: number): Ink => ({
    hue: first + turn * QUARTER_TURN + between(-20, 20),
    saturation: between(55, 90),
    tone: between(from, to),
  });
  const turns = pickSome([0, 1, 2, 3], 4) as [number, number, number, number];
  const darks = [ink(turns[0], 12, 22), ink(turns[1], 22, 34)];
  const lights = [ink(turns[2], 64, 74), ink(turns[3], 76, 90)];
  return darks.flatMap((dark) => lights.map((light) => ({ dark, light })));
}

export function makeBand(stripes: readonly Stripes[], way: readonly Point[]): Band {
  return { way: waver(way), widthPixels: between(7, 11), stripePixels: between(8, 14), inks: pick(stripes) };
}

/**
 * Draws bands with random shades and stripe offsets, so that two parts of a picture share a band's path and colours, but
 * no pixels.
 */
export function strokeBands(ctx: SKRSContext2D, bands: readonly Band[]): void {
  for (const { way, widthPixels, stripePixels, inks } of bands) {
    ctx.beginPath();
    for (const { x, y } of way) ctx.lineTo(x, y);
    ctx.lineWidth = widthPixels * between(0.9, 1.1);
    ctx.setLineDash([]);
    ctx.strokeStyle = shadeOf(inks.dark);
    ctx.stroke();
    ctx.setLineDash([stripePixels * between(0.8, 1.2), stripePixels * between(0.8, 1.2)]);
    ctx.lineDashOffset = between(0, 2 * stripePixels);
    ctx.strokeStyle = shadeOf(inks.light);
    ctx.stroke();
  }
}

function shadeOf({ hue, saturation, tone }: Ink): string {
  const shadeHue = (hue + between(-12, 12) + 720) % 360;
  const shadeTone = tone + between(-6, 6);
  return `hsla(${shadeHue.toFixed(0)}, ${saturation.toFixed(0)}%, ${shadeTone.toFixed(0)}%, ${between(0.85, 1).toFixed(2)})`;
}

const STEP_PIXELS = 5;

/** Adds a small wave to the path, so that a few pixels do not reveal a band's exact direction. */
function waver(way: readonly Point[]): Point[] {
  const [start, length, reach] = [between(0, Math.PI * 2), between(22, 34), between(0.65, 1.3)];
  const out: Point[] = [];
  let walked = 0;
  for (const [i, from] of way.slice(0, -1).entries()) {
    const to = way[i + 1] as Point; // the last point starts no segment
    const [dx, dy] = [to.x - from.x, to.y - from.y];
    const pixels = Math.hypot(dx, dy);
    const steps = Math.max(Math.round(pixels / STEP_PIXELS), 1);
    for (let step = 0; step < steps; step++) {
      const share = step / steps;
      const aside = (reach * Math.sin(start + ((walked + pixels * share) / length) * Math.PI * 2)) / pixels;
      out.push({ x: from.x + dx * share - dy * aside, y: from.y + dy * share + dx * aside });
    }
    walked += pixels;
  }
  return out;
}
