import { createCanvas, type Canvas } from '@napi-rs/canvas';
import type { ExpectedAnswer } from '../captcha-answer.ts';
import { type Band, type Point, strokeBands } from './band.ts';
import { PICTURE } from './captcha-size.ts';
import { toJpegUrl } from './encode.ts';
import { pick, wholeBetween } from './random.ts';
import { makeTone, roughen } from './roughen.ts';
import { drawGround, GAP_COLOUR, makePalette, type Palette, type Size } from './scene.ts';
import { makeStripBands } from './strip-bands.ts';

const TILE = { width: 84, height: 44 } as const;
/** Between the tile and what is above and below it: bands that lean come out elsewhere. */
const GAP_PIXELS = 12;
const STRIP_PIXELS = TILE.height + 2 * GAP_PIXELS;
/** Of the picture there is at least this much above and below the strip. */
const MIN_SEEN_PIXELS = 40;
/** Left of it the tile would fit where it starts. */
const MIN_WAY_PIXELS = 24;
/** Between the outer ones of the bands that go through a tile, and how far they keep from its corners. */
const MIN_SPREAD_PIXELS = 36;
const CORNER_PIXELS = 6;
/** Half a band and a step of its way. */
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
 * A picture without a strip, and a tile of the strip: to be slid along it, or dragged to it. It fits where the bands above
 * and below go on in it.
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

/** Somewhere in its row where bands apart from each other enter it from above and leave it below. */
function placeTile(bands: readonly Band[], row: Omit<Box, 'x'>): Box {
  const [above, below] = [crossings(bands, row.y), crossings(bands, row.y + row.height)];
  const places = Array.from({ length: PICTURE.width - row.width - MIN_WAY_PIXELS }, (_, i) => MIN_WAY_PIXELS + i);
  const guided = places.filter((x) => [above, below].every((at) => spread(at, x, x + row.width) >= MIN_SPREAD_PIXELS));
  return { ...row, x: pick(guided.length > 0 ? guided : places) };
}

/** Where the bands cross a row. */
function crossings(bands: readonly Band[], row: number): number[] {
  return bands.flatMap(({ way }) => way.find(({ y }) => y >= row)?.x ?? []);
}

/** From the first to the last that is not in a corner; 0 when there are none, or one. */
function spread(at: readonly number[], from: number, to: number): number {
  const inside = at.filter((x) => x >= from + CORNER_PIXELS && x <= to - CORNER_PIXELS);
  return inside.length === 0 ? 0 : Math.max(...inside) - Math.min(...inside);
}

/** At an end of the strip, where it is seen at once and hides nothing. */
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

/** With a ground, a tone and noise of its own: it has nothing but the bands in common with what is around it. */
function cutTile(palette: Palette, bands: readonly Band[], box: Box): Canvas {
  const tile = createCanvas(box.width, box.height);
  const ctx = tile.getContext('2d');
  ctx.drawImage(drawGround(box, palette), 0, 0);
  ctx.translate(-box.x, -box.y);
  strokeBands(ctx, bandsWithin(bands, box));
  roughen(tile, 15, makeTone());
  return tile;
}

/** Of each band what can be seen in a box: the rest costs as much to draw. */
function bandsWithin(bands: readonly Band[], { x, y, width, height }: Box): Band[] {
  const isNear = (point: Point) =>
    point.x > x - EDGE_PIXELS &&
    point.x < x + width + EDGE_PIXELS &&
    point.y > y - EDGE_PIXELS &&
    point.y < y + height + EDGE_PIXELS;
  return bands.map((band) => ({ ...band, way: band.way.filter(isNear) })).filter(({ way }) => way.length > 1);
}
