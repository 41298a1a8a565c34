import { createCanvas, type Canvas } from '@napi-rs/canvas';
import type { ExpectedAnswer } from '../captcha-answer.ts';
import { ROTATE_DIAMETER } from './captcha-size.ts';
import { toJpegUrl } from './encode.ts';
import { wholeBetween } from './random.ts';
import { makeTone, roughen } from './roughen.ts';
import { drawBand, drawScene, makePalette, type Palette } from './scene.ts';

const MIDDLE_DIAMETER = 120;
/** Between the middle and what is around it: lines that meet it at a slant come out elsewhere. */
const GAP_PIXELS = 18;
/** Bands that only one of the two has: likeness at the rim says less. */
const LONE_BANDS = 1;
const GAP_COLOUR = '#8c8c8c';
const SQUARE = { width: ROTATE_DIAMETER, height: ROTATE_DIAMETER };
const radians = (degrees: number) => (degrees * Math.PI) / 180;

export type RotateDrawing = { image: string; thumb: string; thumbSize: number; angle: number; answer: ExpectedAnswer };

/** A round picture whose middle is turned; it is right when the bands go through again. */
export async function drawRotate(): Promise<RotateDrawing> {
  const palette = makePalette();
  const scene = drawScene(SQUARE, palette, 9);
  const angle = wholeBetween(25, 335);
  const ring = cutRing(scene, palette);
  const middle = cutMiddle(scene, palette, angle);
  roughen(ring, 22);
  roughen(middle, 22, makeTone());
  return {
    image: await toJpegUrl(ring),
    thumb: await toJpegUrl(middle),
    thumbSize: MIDDLE_DIAMETER,
    angle: 0,
    answer: { type: 'rotate', angle },
  };
}

function cutRing(scene: Canvas, palette: Palette): Canvas {
  const ring = createCanvas(ROTATE_DIAMETER, ROTATE_DIAMETER);
  const ctx = ring.getContext('2d');
  const middle = ROTATE_DIAMETER / 2;
  ctx.drawImage(scene, 0, 0);
  for (let i = 0; i < LONE_BANDS; i++) drawBand(ctx, SQUARE, palette);
  ctx.fillStyle = GAP_COLOUR;
  ctx.beginPath();
  ctx.arc(middle, middle, MIDDLE_DIAMETER / 2 + GAP_PIXELS, 0, Math.PI * 2);
  ctx.fill();
  return ring;
}

/** Turned back by the angle that the person turns it forward. */
function cutMiddle(scene: Canvas, palette: Palette, angle: number): Canvas {
  const canvas = createCanvas(MIDDLE_DIAMETER, MIDDLE_DIAMETER);
  const ctx = canvas.getContext('2d');
  const middle = MIDDLE_DIAMETER / 2;
  ctx.fillStyle = GAP_COLOUR; // the corners, which the widget does not show
  ctx.fillRect(0, 0, MIDDLE_DIAMETER, MIDDLE_DIAMETER);
  ctx.beginPath();
  ctx.arc(middle, middle, middle, 0, Math.PI * 2);
  ctx.clip();
  ctx.translate(middle, middle);
  ctx.rotate(radians(-angle));
  ctx.translate(-ROTATE_DIAMETER / 2, -ROTATE_DIAMETER / 2);
  ctx.drawImage(scene, 0, 0);
  for (let i = 0; i < LONE_BANDS; i++) drawBand(ctx, SQUARE, palette);
  return canvas;
}
