import { createCanvas, type Canvas, type SKRSContext2D } from '@napi-rs/canvas';
import type { ExpectedAnswer } from '../captcha-answer.ts';
import { fontFamilies } from './captcha-fonts.ts';
import { CLICK_THUMB, PICTURE, toJpegUrl } from './picture.ts';
import { glyphs } from './glyphs.ts';
import { between, happens, pick, pickSome } from './random.ts';
import { roughen } from './roughen.ts';
import { colour, drawScene, makePalette, type Palette, type Size } from './scene.ts';

const WANTED = 4;
const OTHERS = 4;
const COLUMNS = 4;
const ROWS = 3;
/** The margin around the grid, so that characters do not cross the edge. */
const EDGE_PIXELS = 12;

type Point = { x: number; y: number };
type Family = (typeof fontFamilies)[number];
export type ClickDrawing = { image: string; thumb: string; answer: ExpectedAnswer };

/** Draws characters scattered over a picture. The thumb shows some of them in order. */
export async function drawClick(): Promise<ClickDrawing> {
  const chosen = pickSome(glyphs, WANTED + OTHERS);
  const places = scatter(chosen.length);
  const palette = makePalette();
  const picture = drawScene(PICTURE, palette, 7);
  const thumb = createCanvas(CLICK_THUMB.width, CLICK_THUMB.height);
  drawThumbGround(thumb.getContext('2d'));
  for (const [i, glyph] of chosen.entries()) {
    // Picture and thumb use different fonts for the same character.
    const [inPicture, inThumb] = pickSome(fontFamilies, 2) as [Family, Family]; // there are two
    drawGlyph(picture.getContext('2d'), glyph, inPicture, places[i] as Point, palette); // as many as characters
    if (i < WANTED) drawThumbGlyph(thumb.getContext('2d'), glyph, inThumb, i);
  }
  crossOut(picture, PICTURE, palette, 9);
  crossOut(thumb, CLICK_THUMB, palette, 3);
  roughen(picture, 22);
  roughen(thumb, 17);
  const answer = { type: 'click' as const, points: places.slice(0, WANTED) };
  return { image: await toJpegUrl(picture), thumb: await toJpegUrl(thumb), answer };
}

/** Picks one place in each of `count` cells of a grid, away from the cell's edges. */
function scatter(count: number): Point[] {
  const cell = {
    width: (PICTURE.width - 2 * EDGE_PIXELS) / COLUMNS,
    height: (PICTURE.height - 2 * EDGE_PIXELS) / ROWS,
  };
  const cells = Array.from({ length: COLUMNS * ROWS }, (_, i) => ({
    column: i % COLUMNS,
    row: Math.floor(i / COLUMNS),
  }));
  return pickSome(cells, count).map(({ column, row }) => ({
    x: Math.round(EDGE_PIXELS + (column + between(0.32, 0.68)) * cell.width),
    y: Math.round(EDGE_PIXELS + (row + between(0.32, 0.68)) * cell.height),
  }));
}

function drawGlyph(ctx: SKRSContext2D, glyph: string, family: Family, { x, y }: Point, palette: Palette): void {
  const isLight = palette.isDark ? happens(0.8) : happens(0.2);
  const size = between(32, 41);
  ctx.save();
  ctx.translate(x, y);
  ctx.rotate(between(-0.75, 0.75));
  ctx.transform(between(0.88, 1.1), between(-0.16, 0.16), between(-0.22, 0.22), between(0.88, 1.1), 0, 0);
  setFont(ctx, family, size);
  const paint = ctx.createLinearGradient(-size / 2, -size / 2, size / 2, size / 2);
  const tone = isLight ? { from: 82, to: 98 } : { from: 4, to: 22 };
  paint.addColorStop(0, colour(palette, tone));
  paint.addColorStop(1, colour(palette, tone));
  ctx.lineWidth = between(2, 3.5);
  ctx.strokeStyle = colour(palette, isLight ? { from: 8, to: 35 } : { from: 70, to: 95 }, between(0.4, 0.8));
  ctx.strokeText(glyph, 0, 0);
  ctx.fillStyle = paint;
  ctx.fillText(glyph, 0, 0);
  ctx.restore();
}

function drawThumbGround(ctx: SKRSContext2D): void {
  const ground = ctx.createLinearGradient(0, 0, CLICK_THUMB.width, CLICK_THUMB.height);
  for (const stop of [0, 1]) ground.addColorStop(stop, `hsl(${between(0, 360).toFixed(0)}, 30%, 88%)`);
  ctx.fillStyle = ground;
  ctx.fillRect(0, 0, CLICK_THUMB.width, CLICK_THUMB.height);
}

function drawThumbGlyph(ctx: SKRSContext2D, glyph: string, family: Family, index: number): void {
  const cell = CLICK_THUMB.width / WANTED;
  ctx.save();
  ctx.translate(cell * (index + 0.5) + between(-3, 3), CLICK_THUMB.height / 2 + between(-2, 2));
  ctx.rotate(between(-0.3, 0.3));
  ctx.transform(between(0.9, 1.1), between(-0.1, 0.1), between(-0.25, 0.25), between(0.9, 1.1), 0, 0);
  setFont(ctx, family, between(25, 29));
  ctx.fillStyle = `hsl(${between(0, 360).toFixed(0)}, 60%, ${between(15, 32).toFixed(0)}%)`;
  ctx.fillText(glyph, 0, 0);
  ctx.restore();
}

function setFont(ctx: SKRSContext2D, family: Family, size: number): void {
  ctx.font = `bold ${size.toFixed(1)}px "${family}"`;
  ctx.textAlign = 'center';
  ctx.textBaseline = 'middle';
}

/** Draws thin lines over everything, so that characters are connected and cannot be segmented. */
function crossOut(canvas: Canvas, { width, height }: Size, palette: Palette, lines: number): void {
  const ctx = canvas.getContext('2d');
  for (let i = 0; i < lines; i++) {
    ctx.beginPath();
    ctx.moveTo(between(-20, width / 3), between(0, height));
    ctx.bezierCurveTo(
      between(0, width),
      between(0, height),
      between(0, width),
      between(0, height),
      between((width * 2) / 3, width + 20),
      between(0, height),
    );
    ctx.lineWidth = between(0.8, 2.2);
    ctx.strokeStyle = colour(
      palette,
      pick([
        { from: 5, to: 25 },
        { from: 80, to: 96 },
      ]),
      between(0.5, 0.9),
    );
    ctx.stroke();
  }
}
