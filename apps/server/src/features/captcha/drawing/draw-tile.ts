import { createCanvas, type Canvas } from '@napi-rs/canvas';
import type { ExpectedAnswer } from '../captcha-answer.ts';
import { type Band, type Point, strokeBands } from './band.ts';
import { PICTURE, toJpegUrl } from './picture.ts';
import { pick, wholeBetween } from './random.ts';
import { makeTone, roughen } from './roughen.ts';
import { drawGround, GAP_COLOUR, makePalette, type Palette, type Size } from './scene.ts';
import { makeStripBands } from './strip-bands.ts';

const TILE = { width: 84, height: 44 } as const;
/** The gap above and below the tile. A leaning band leaves it at another x than it entered. */
const GAP_PIXELS = 12;
const STRIP_PIXELS = TILE.height + 2 * GAP_PIXELS;
/** The least height of the picture above and below the strip. */
const MIN_SEEN_PIXELS = 40;
/** The least distance that the tile has to move. */
const MIN_WAY_PIXELS = 24;
/** The least distance between the outer bands through a tile, and their distance from its corners. */
const MIN_SPREAD_PIXELS = 36;
const CORNER_PIXELS = 6;
/** Half a band's width and a segment of its path. */
const EDGE_PIXELS = 14;

type Box = Point & Size;
export type TileDrawing = {
  image: string;
  thumb: string;
  thumbX: number;
  thumbY: number;
  thumbWidth: number;
  thumbHeight: number;
  answer: ExpectedAnswer;
};

/**
 * Draws a picture without a strip, and a tile of the strip, to be slid along it or dragged to it. It fits where the bands
 * above and below continue in it.
 */
export async function drawTile(type: 'slide' | 'drag'): Promise<TileDrawing> {
  const palette = makePalette();
  const strip = wholeBetween(MIN_SEEN_PIXELS, PICTURE.height - STRIP_PIXELS - MIN_SEEN_PIXELS);
  const bands = makeStripBands(strip + STRIP_PIXELS / 2);
  const box = placeTile(bands, { y: strip + GAP_PIXELS, ...TILE });
  const picture = drawPicture(palette, bands, strip);
  const tile = cutTile(palette, bands, box);
  const start = type === 'slide' ? { x: 0, y: box.y } : startAway(box);
  return {
    image: await toJpegUrl(picture),
    thumb: await toJpegUrl(tile),
    thumbX: start.x,
    thumbY: start.y,
    thumbWidth: TILE.width,
    thumbHeight: TILE.height,
    answer: { type, at: { x: box.x, y: box.y } },
  };
}

/** Picks a place in the row where bands with enough distance enter the tile from above and leave it below. */
function placeTile(bands: readonly Band[], row: Omit<Box, 'x'>): Box {
  const [above, below] = [crossings(bands, row.y), crossings(bands, row.y + row.height)];
  const places = Array.from({ length: PICTURE.width - row.width - MIN_WAY_PIXELS }, (_, i) => MIN_WAY_PIXELS + i);
  const guided = places.filter((x) => [above, below].every((at) => spread(at, x, x + row.width) >= MIN_SPREAD_PIXELS));
  return { ...row, x: pick(guided.length > 0 ? guided : places) };
}

/** The x at which each band crosses a row. */
function crossings(bands: readonly Band[], row: number): number[] {
  return bands.flatMap(({ way }) => way.find(({ y }) => y >= row)?.x ?? []);
}

/** The distance from the first to the last crossing outside the corners; 0 for fewer than two. */
function spread(at: readonly number[], from: number, to: number): number {
  const inside = at.filter((x) => x >= from + CORNER_PIXELS && x <= to - CORNER_PIXELS);
  return inside.length === 0 ? 0 : Math.max(...inside) - Math.min(...inside);
}

/** The end of the strip that is farther from the answer, where the tile is easy to see and hides nothing. */
function startAway({ x, y }: Box): Point {
  const last = PICTURE.width - TILE.width;
  return { x: x > last / 2 ? 0 : last, y };
}

function drawPicture(palette: Palette, bands: readonly Band[], strip: number): Canvas {
  const picture = drawGround(PICTURE, palette);
  const ctx = picture.getContext('2d');
  strokeBands(ctx, bandsWithin(bands, { x: 0, y: 0, ...PICTURE }));
  ctx.fillStyle = GAP_COLOUR;
  ctx.fillRect(0, strip, PICTURE.width, STRIP_PIXELS);
  roughen(picture, 17);
  return picture;
}

/** Draws the tile with its own ground, tone and noise, so that it shares only the bands with its surroundings. */
function cutTile(palette: Palette, bands: readonly Band[], box: Box): Canvas {
  const tile = createCanvas(box.width, box.height);
  const ctx = tile.getContext('2d');
  ctx.drawImage(drawGround(box, palette), 0, 0);
  ctx.translate(-box.x, -box.y);
  strokeBands(ctx, bandsWithin(bands, box));
  roughen(tile, 15, makeTone());
  return tile;
}

/** The part of each band that is visible in a box, because invisible parts take as long to draw. */
function bandsWithin(bands: readonly Band[], { x, y, width, height }: Box): Band[] {
  const isNear = (point: Point) =>
    point.x > x - EDGE_PIXELS &&
    point.x < x + width + EDGE_PIXELS &&
    point.y > y - EDGE_PIXELS &&
    point.y < y + height + EDGE_PIXELS;
  return bands.map((band) => ({ ...band, way: band.way.filter(isNear) })).filter(({ way }) => way.length > 1);
}
