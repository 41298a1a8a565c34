import { createCanvas, type Canvas, type Path2D, type SKRSContext2D } from '@napi-rs/canvas';
import type { ExpectedAnswer } from '../captcha-answer.ts';
import { PICTURE } from './captcha-size.ts';
import { toJpegUrl, toPngUrl } from './encode.ts';
import { between, happens, pickSome, wholeBetween } from './random.ts';
import { makeTone, roughen } from './roughen.ts';
import { drawScene, makePalette } from './scene.ts';
import { makeTileOutline, TILE_SIZE } from './tile-outline.ts';

/** Holes of one outline, of which only one has the tile's surroundings. */
const HOLES = { slide: 5, drag: 8 } as const;
const EDGE_PIXELS = 3;

type Point = { x: number; y: number };
export type TileDrawing = {
  image: string;
  thumb: string;
  thumbX: number;
  thumbY: number;
  thumbWidth: number;
  thumbHeight: number;
  answer: ExpectedAnswer;
};

/** A picture with several equal holes and the tile that fits one of them: to be slid along its row, or dragged anywhere. */
export async function drawTile(type: 'slide' | 'drag'): Promise<TileDrawing> {
  const scene = drawScene(PICTURE, makePalette(), 12);
  const outline = makeTileOutline();
  const holes = type === 'slide' ? placesInRow(HOLES.slide) : placesAnywhere(HOLES.drag + 1);
  const [at, start] = pickSome(holes, 2) as [Point, Point]; // there are more
  const empty = type === 'slide' ? holes : holes.filter((hole) => hole !== start);
  const picture = createCanvas(PICTURE.width, PICTURE.height);
  const ctx = picture.getContext('2d');
  ctx.drawImage(scene, 0, 0);
  for (const hole of empty) drawHole(ctx, scene, outline, hole);
  roughen(picture, 24);
  const tile = cutTile(scene, outline, at);
  return {
    image: await toJpegUrl(picture),
    thumb: await toPngUrl(tile),
    thumbX: type === 'slide' ? 0 : start.x,
    thumbY: type === 'slide' ? at.y : start.y,
    thumbWidth: TILE_SIZE,
    thumbHeight: TILE_SIZE,
    answer: { type, at },
  };
}

/** Side by side in one row, right of where the tile starts. */
function placesInRow(count: number): Point[] {
  const y = wholeBetween(EDGE_PIXELS, PICTURE.height - TILE_SIZE - EDGE_PIXELS);
  const first = 28;
  const spare = PICTURE.width - first - count * TILE_SIZE;
  const gaps = Array.from({ length: count }, () => between(0, spare)).toSorted((a, b) => a - b);
  return gaps.map((gap, i) => ({ x: Math.round(first + gap + i * TILE_SIZE), y }));
}

/** One in each of as many cells of a grid, somewhere in the cell. */
function placesAnywhere(count: number): Point[] {
  const [columns, rows] = [5, 4];
  const cells = Array.from({ length: columns * rows }, (_, i) => ({
    column: i % columns,
    row: Math.floor(i / columns),
  }));
  const cell = { width: PICTURE.width / columns, height: PICTURE.height / rows };
  return pickSome(cells, count).map(({ column, row }) => ({
    x: Math.round(column * cell.width + between(0, cell.width - TILE_SIZE)),
    y: Math.round(row * cell.height + between(0, cell.height - TILE_SIZE)),
  }));
}

/** Filled with another part of the picture: of what belongs there, nothing is left to compare the tile with. */
function drawHole(ctx: SKRSContext2D, scene: Canvas, outline: Path2D, { x, y }: Point): void {
  const isLight = happens(0.5);
  ctx.save();
  ctx.translate(x, y);
  ctx.save();
  ctx.clip(outline);
  ctx.drawImage(
    scene,
    between(0, PICTURE.width - TILE_SIZE),
    between(0, PICTURE.height - TILE_SIZE),
    TILE_SIZE,
    TILE_SIZE,
    0,
    0,
    TILE_SIZE,
    TILE_SIZE,
  );
  const shade = ctx.createLinearGradient(0, 0, between(0, TILE_SIZE), TILE_SIZE);
  const level = isLight ? 255 : 0;
  for (const stop of [0, 1])
    shade.addColorStop(stop, `rgba(${level}, ${level}, ${level}, ${between(0.45, 0.62).toFixed(2)})`);
  ctx.fillStyle = shade;
  ctx.fillRect(0, 0, TILE_SIZE, TILE_SIZE);
  ctx.restore();
  ctx.lineWidth = 1.5;
  ctx.strokeStyle = isLight ? 'rgba(40, 40, 40, 0.55)' : 'rgba(255, 255, 255, 0.6)';
  ctx.stroke(outline);
  ctx.restore();
}

/** In another tone than the picture and with noise of its own; the rim hides where it was cut. */
function cutTile(scene: Canvas, outline: Path2D, { x, y }: Point): Canvas {
  const tile = createCanvas(TILE_SIZE, TILE_SIZE);
  const ctx = tile.getContext('2d');
  ctx.save();
  ctx.clip(outline);
  ctx.drawImage(scene, -x, -y);
  ctx.restore();
  ctx.lineWidth = 2.5;
  ctx.strokeStyle = 'rgba(255, 255, 255, 0.9)';
  ctx.stroke(outline);
  roughen(tile, 18, makeTone());
  return tile;
}
