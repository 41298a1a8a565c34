import { createCanvas, type Canvas, type SKRSContext2D } from '@napi-rs/canvas';
import { between, happens, pick, wholeBetween } from './random.ts';

export type Size = { width: number; height: number };

/** The colour of empty parts of a picture. */
export const GAP_COLOUR = '#8c8c8c';

/** A few related hues, so that a colour alone does not reveal which parts belong together. */
export type Palette = { hues: readonly number[]; isDark: boolean };

export function makePalette(): Palette {
  const hue = between(0, 360);
  return { hues: [hue, hue + between(25, 60), hue + between(150, 210)], isDark: happens(0.5) };
}

/** One of the palette's colours; `tone` 0 is black, 100 white. */
export function colour({ hues }: Palette, tone: { from: number; to: number }, alpha = 1): string {
  const hue = (pick(hues) + between(-12, 12) + 360) % 360;
  return `hsla(${hue.toFixed(0)}, ${wholeBetween(30, 75)}%, ${wholeBetween(tone.from, tone.to)}%, ${alpha.toFixed(2)})`;
}

/** Draws a ground with patches, and bands that cross the whole picture. */
export function drawScene(size: Size, palette: Palette, bands: number): Canvas {
  const canvas = drawGround(size, palette);
  const ctx = canvas.getContext('2d');
  for (let i = 0; i < bands; i++) drawBand(ctx, size, palette);
  return canvas;
}

/** Draws a ground with patches. */
export function drawGround(size: Size, palette: Palette): Canvas {
  const canvas = createCanvas(size.width, size.height);
  const ctx = canvas.getContext('2d');
  fillGround(ctx, size, palette);
  for (let i = 0; i < 14; i++) drawPatch(ctx, size, palette);
  return canvas;
}

function fillGround(ctx: SKRSContext2D, { width, height }: Size, palette: Palette): void {
  const ground = ctx.createLinearGradient(between(0, width), 0, between(0, width), height);
  const tone = palette.isDark ? { from: 22, to: 48 } : { from: 55, to: 82 };
  for (const stop of [0, between(0.3, 0.7), 1]) ground.addColorStop(stop, colour(palette, tone));
  ctx.fillStyle = ground;
  ctx.fillRect(0, 0, width, height);
}

/** Draws a round or angular, half transparent patch. */
function drawPatch(ctx: SKRSContext2D, { width, height }: Size, palette: Palette): void {
  const radius = between(14, 55);
  const corners = happens(0.4) ? 24 : wholeBetween(3, 6);
  const turn = between(0, Math.PI * 2);
  const [x, y] = [between(0, width), between(0, height)];
  ctx.beginPath();
  for (let i = 0; i < corners; i++) {
    const angle = turn + (i / corners) * Math.PI * 2;
    const reach = corners > 6 ? radius : radius * between(0.6, 1.1);
    ctx.lineTo(x + Math.cos(angle) * reach, y + Math.sin(angle) * reach);
  }
  ctx.closePath();
  ctx.fillStyle = colour(palette, { from: 20, to: 85 }, between(0.15, 0.5));
  ctx.fill();
}

/** Draws a bent band from beyond one side of the picture to beyond another. */
function drawBand(ctx: SKRSContext2D, { width, height }: Size, palette: Palette): void {
  const angle = between(0, Math.PI * 2);
  const reach = Math.hypot(width, height) / 2 + 20;
  const [middleX, middleY] = [between(0.1, 0.9) * width, between(0.1, 0.9) * height];
  const [dx, dy] = [Math.cos(angle) * reach * 1.6, Math.sin(angle) * reach * 1.6];
  const bend = () => between(-70, 70);
  ctx.beginPath();
  ctx.moveTo(middleX - dx, middleY - dy);
  ctx.bezierCurveTo(
    middleX - dx / 3 + bend(),
    middleY - dy / 3 + bend(),
    middleX + dx / 3 + bend(),
    middleY + dy / 3 + bend(),
    middleX + dx,
    middleY + dy,
  );
  ctx.lineWidth = between(5, 13);
  const tone = happens(0.5) ? { from: 8, to: 32 } : { from: 68, to: 95 };
  ctx.strokeStyle = colour(palette, tone, between(0.7, 0.95));
  ctx.stroke();
}
