import { createCanvas, type Canvas } from '@napi-rs/canvas';
import type { ExpectedAnswer } from '../captcha-answer.ts';
import { type Band, type Point, strokeBands } from './band.ts';
import { PICTURE } from './captcha-size.ts';
import { toJpegUrl } from './encode.ts';
import { pick, wholeBetween } from './random.ts';
import { makeTone, roughen } from './roughen.ts';
import { drawGround, GAP_COLOUR, makePalette, type Palette, type Size } from './scene.ts';
import { makeStripBands } from './strip-bands.ts';

/** `gap`: between the tile and what is above and below it. */
const sizes = {
  slide: { width: 84, height: 44, gap: 12, strips: 1 },
  drag: { width: 80, height: 40, gap: 9, strips: 2 },
} as const;
/** Of the picture there is at least this much between strips, and at its edges. */
const MIN_SEEN_PIXELS = 32;
/** Left of it the tile would fit where it starts. */
const MIN_WAY_PIXELS = 24;
/** Bands that go through a tile, and how far from its corners. */
const MIN_BANDS = 2;
const CORNER_PIXELS = 6;

/** Half a band and a step of its way. */
const EDGE_PIXELS = 14;

type Kind = keyof typeof sizes;
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
 * A picture without one or two strips, and a tile of one of them: to be slid along it, or dragged anywhere. It fits where
 * the bands above and below go on in it.
 */
export async function drawTile(type: Kind): Promise<TileDrawing> {
  const { width, height, gap } = sizes[type];
  const palette = makePalette();
  const rows = placeStrips(type);
  const bands = makeStripBands(rows.map((row) => row + gap + height / 2));
  const box = placeTile(bands, { y: pick(rows) + gap, width, height });
  const picture = drawPicture(palette, bands, { rows, stripHeight: height + 2 * gap });
  const tile = cutTile(palette, bands, box);
  return {
    image: await toJpegUrl(picture),
    thumb: await toJpegUrl(tile),
    ...(type === 'slide' ? { thumbX: 0, thumbY: box.y } : startAway(box, pick(rows) + gap)),
    thumbWidth: width,
    thumbHeight: height,
    answer: { type, at: { x: box.x, y: box.y } },
  };
}

/** The upper edge of each strip. */
function placeStrips(type: Kind): number[] {
  const { height, gap, strips } = sizes[type];
  const step = height + 2 * gap + MIN_SEEN_PIXELS;
  const spare = PICTURE.height - MIN_SEEN_PIXELS - strips * step;
  const moved = Array.from({ length: strips }, () => wholeBetween(0, spare)).toSorted((a, b) => a - b);
  return moved.map((pixels, i) => MIN_SEEN_PIXELS + i * step + pixels);
}

/** Somewhere in its row where some bands enter it from above and leave it below. */
function placeTile(bands: readonly Band[], row: Omit<Box, 'x'>): Box {
  const boxes: Box[] = [];
  for (let x = MIN_WAY_PIXELS; x <= PICTURE.width - row.width; x++) boxes.push({ ...row, x });
  const crossed = boxes.filter(
    (box) => crossings(bands, box, box.y) >= MIN_BANDS && crossings(bands, box, box.y + box.height) >= MIN_BANDS,
  );
  return pick(crossed.length > 0 ? crossed : boxes);
}

function crossings(bands: readonly Band[], { x, width }: Box, row: number): number {
  const [from, to] = [x + CORNER_PIXELS, x + width - CORNER_PIXELS];
  return bands.filter(({ way }) => {
    const at = way.find(({ y }) => y >= row)?.x ?? -1;
    return at >= from && at <= to;
  }).length;
}

/** In one of the strips, as far along it from where it belongs as there is room. */
function startAway({ x, width }: Box, thumbY: number): { thumbX: number; thumbY: number } {
  const last = PICTURE.width - width;
  return { thumbX: x > last / 2 ? 0 : last, thumbY };
}

type Strips = { rows: readonly number[]; stripHeight: number };

function drawPicture(palette: Palette, bands: readonly Band[], { rows, stripHeight }: Strips): Canvas {
  const picture = drawGround(PICTURE, palette);
  const ctx = picture.getContext('2d');
  strokeBands(ctx, bandsWithin(bands, { x: 0, y: 0, ...PICTURE }));
  ctx.fillStyle = GAP_COLOUR;
  for (const row of rows) ctx.fillRect(0, row, PICTURE.width, stripHeight);
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
