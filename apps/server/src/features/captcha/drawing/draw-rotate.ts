import { createCanvas, type Canvas } from '@napi-rs/canvas';
import type { ExpectedAnswer } from '../captcha-answer.ts';
import { type Band, strokeBands } from './band.ts';
import { ROTATE_DIAMETER, toJpegUrl } from './picture.ts';
import { wholeBetween } from './random.ts';
import { makeTone, roughen } from './roughen.ts';
import { makeRoundBands } from './round-bands.ts';
import { drawGround, GAP_COLOUR, makePalette, type Palette } from './scene.ts';

const MIDDLE_DIAMETER = 120;
/** The gap between the inner circle and the ring. A slanted band leaves it at another angle than it entered. */
const GAP_PIXELS = 17;
const radians = (degrees: number) => (degrees * Math.PI) / 180;

export type RotateDrawing = { image: string; thumb: string; thumbSize: number; angle: number; answer: ExpectedAnswer };

/** Draws a round picture with a turned inner circle. It is right when the bands continue across the gap. */
export async function drawRotate(): Promise<RotateDrawing> {
  const palette = makePalette();
  const middle = ROTATE_DIAMETER / 2;
  const bands = makeRoundBands({ middle, radius: (MIDDLE_DIAMETER + GAP_PIXELS) / 2 });
  const angle = wholeBetween(25, 335);
  // Each part lacks one band of the other, so that comparing the rims reveals less.
  const ring = cutRing(palette, bands.slice(1));
  const turned = cutMiddle(palette, bands.slice(0, -1), angle);
  return {
    image: await toJpegUrl(ring),
    thumb: await toJpegUrl(turned),
    thumbSize: MIDDLE_DIAMETER,
    angle: 0,
    answer: { type: 'rotate', angle },
  };
}

function cutRing(palette: Palette, bands: readonly Band[]): Canvas {
  const ring = drawGround({ width: ROTATE_DIAMETER, height: ROTATE_DIAMETER }, palette);
  const ctx = ring.getContext('2d');
  const middle = ROTATE_DIAMETER / 2;
  strokeBands(ctx, bands);
  ctx.fillStyle = GAP_COLOUR;
  ctx.beginPath();
  ctx.arc(middle, middle, MIDDLE_DIAMETER / 2 + GAP_PIXELS, 0, Math.PI * 2);
  ctx.fill();
  roughen(ring, 17);
  return ring;
}

/** Draws the inner circle, turned back by the answer's angle, with its own ground and tone. */
function cutMiddle(palette: Palette, bands: readonly Band[], angle: number): Canvas {
  const canvas = createCanvas(MIDDLE_DIAMETER, MIDDLE_DIAMETER);
  const ctx = canvas.getContext('2d');
  const middle = MIDDLE_DIAMETER / 2;
  ctx.fillStyle = GAP_COLOUR; // the corners, which the widget does not show
  ctx.fillRect(0, 0, MIDDLE_DIAMETER, MIDDLE_DIAMETER);
  ctx.beginPath();
  ctx.arc(middle, middle, middle, 0, Math.PI * 2);
  ctx.clip();
  ctx.drawImage(drawGround({ width: MIDDLE_DIAMETER, height: MIDDLE_DIAMETER }, palette), 0, 0);
  ctx.translate(middle, middle);
  ctx.rotate(radians(-angle));
  ctx.translate(-ROTATE_DIAMETER / 2, -ROTATE_DIAMETER / 2);
  strokeBands(ctx, bands);
  roughen(canvas, 17, makeTone());
  return canvas;
}
