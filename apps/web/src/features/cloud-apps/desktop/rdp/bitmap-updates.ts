import { decodeRle } from './decode-rle.ts';

const DER_SEQUENCE = 0x30;
const TPKT_VERSION = 3;
/** Fast-path output without encryption (MS-RDPBCGR 2.2.9.1.2). */
const FAST_PATH = 0;
const BITMAP_UPDATE = 1;
const FRAGMENT = { single: 0, last: 1, first: 2, next: 3 } as const;
/** A message of the fast path has a length of 15 bits. */
const MAX_UPDATE_BYTES = 32_000;
const MAX_FRAGMENT_BYTES = 16 * 1024 * 1024;
const RECTANGLE_BYTES = 18;
const COMPRESSED = 0x0001;
const NO_HEADER = 0x0400;
const COMPRESSION_HEADER_BYTES = 8;

type Bytes = Uint8Array<ArrayBuffer>;
/** `raw`: with its head. `isBulk`: compressed once more, which is left as it is. */
type Update = { code: number; fragment: number; isBulk: boolean; raw: Bytes; data: Bytes };
type Bitmap = {
  left: number;
  top: number;
  /** What is to be drawn. */
  drawn: { width: number; height: number };
  width: number;
  height: number;
  bitsPerPixel: number;
  isCompressed: boolean;
  content: Bytes;
  /** With its head. */
  raw: Bytes;
};
type Pixels = { rows: Uint8Array; rowBytes: number };

/**
 * Mends the bitmap updates that IronRDP 0.7.0 draws wrongly, on their way to it; everything else passes. Servers make
 * bitmaps a multiple of 4 wide, also where a smaller part of them is to be drawn (xrdp with Xvnc), but IronRDP takes rows
 * as wide as that part, so that the screen is skewed. And it leaves some run-length encoded ones black (`decodeRle`). Both
 * are handed on without compression, as wide as they are drawn.
 */
export class BitmapUpdates {
  #held: Bytes = new Uint8Array(0);
  /** Something unknown has come: nothing more is understood. */
  #isOver = false;
  #fragments: Update[] = [];

  /** What is to be handed on of the stream, after these bytes. */
  push(bytes: Bytes): Bytes[] {
    if (this.#isOver) return [bytes];
    this.#held = this.#held.length === 0 ? bytes : join([this.#held, bytes]);
    const out: Bytes[] = [];
    while (this.#held.length > 0) {
      const length = messageLength(this.#held);
      if (length === undefined) {
        this.#isOver = true;
        out.push(this.#held);
        break;
      }
      if (length > this.#held.length) break;
      const message = this.#held.slice(0, length);
      this.#held = this.#held.slice(length);
      out.push(...this.#mend(message));
    }
    if (this.#isOver) this.#held = new Uint8Array(0);
    return out.length > 1 ? [join(out)] : out;
  }

  #mend(message: Bytes): Bytes[] {
    if (message[0] === TPKT_VERSION) {
      const update = slowPathUpdate(message);
      return (update && mendedBitmaps(update)?.map(bitmapMessage)) ?? [message];
    }
    if (message[0] !== FAST_PATH) return [message];
    const updates = updatesIn(message.subarray((message[1] ?? 0) & 0x80 ? 3 : 2));
    // One that is not understood is left to IronRDP.
    if (!updates?.some(({ code, isBulk }) => code === BITMAP_UPDATE && !isBulk)) return [message];
    if (updates.length === 1 && updates[0]?.fragment === FRAGMENT.single) {
      const mended = mendedBitmaps(updates[0].data);
      return mended ? mended.map(bitmapMessage) : [message];
    }
    return updates.flatMap((update) => this.#mendUpdate(update));
  }

  #mendUpdate(update: Update): Bytes[] {
    const { code, fragment, isBulk, raw, data } = update;
    if (code !== BITMAP_UPDATE || isBulk) return [fastPath(raw)];
    if (fragment === FRAGMENT.single) return mendedBitmaps(data)?.map(bitmapMessage) ?? [fastPath(raw)];
    if (fragment === FRAGMENT.first) this.#fragments = [];
    this.#fragments.push(update);
    const size = this.#fragments.reduce((sum, each) => sum + each.data.length, 0);
    if (fragment !== FRAGMENT.last && size <= MAX_FRAGMENT_BYTES) return [];
    const fragments = this.#fragments;
    this.#fragments = [];
    const mended = fragment === FRAGMENT.last ? mendedBitmaps(join(fragments.map((each) => each.data))) : undefined;
    return mended?.map(bitmapMessage) ?? fragments.map((each) => fastPath(each.raw));
  }
}

/**
 * What an update outside of the fast path has (xrdp sends its bitmaps so): TPKT, X.224, MCS, then the headers of
 * MS-RDPBCGR 2.2.8.1.1.1.1 and 2.2.8.1.1.1.2. Undefined for anything else.
 */
function slowPathUpdate(message: Bytes): Bytes | undefined {
  const SEND_DATA_INDICATION = 0x68;
  const [DATA_PDU, UPDATE, BULK] = [7, 2, 0x20];
  const at = 13 + ((message[13] ?? 0) & 0x80 ? 2 : 1);
  if (message[7] !== SEND_DATA_INDICATION || message.length < at + 22) return undefined;
  const view = viewOf(message);
  const isWhole = view.getUint16(at, true) === message.length - at;
  const isUpdate = (view.getUint16(at + 2, true) & 0x0f) === DATA_PDU && view.getUint8(at + 14) === UPDATE;
  return isWhole && isUpdate && (view.getUint8(at + 15) & BULK) === 0 ? message.subarray(at + 18) : undefined;
}

/** Of the message at the beginning, more than there is if that is not whole; undefined for an unknown one. */
function messageLength(bytes: Bytes): number | undefined {
  const [kind = 0, first = 0, second = 0, third = 0] = bytes;
  if (kind === DER_SEQUENCE) return derLength(bytes);
  if (kind === TPKT_VERSION) return bytes.length < 4 ? 4 : Math.max(4, second * 256 + third);
  if (kind & 0x3f) return undefined;
  return bytes.length < 3 ? 3 : Math.max(3, first & 0x80 ? (first & 0x7f) * 256 + second : first);
}

/** RDCleanPath and CredSSP. */
function derLength(bytes: Bytes): number | undefined {
  const first = bytes[1] ?? 0;
  if (first < 0x80) return 2 + first;
  const count = first - 0x80;
  if (count === 0 || count > 3) return undefined;
  if (bytes.length < 2 + count) return 2 + count;
  return 2 + count + bytes.subarray(2, 2 + count).reduce((sum, byte) => sum * 256 + byte, 0);
}

function updatesIn(payload: Bytes): Update[] | undefined {
  const updates: Update[] = [];
  for (let at = 0; at < payload.length;) {
    const head = payload[at] ?? 0;
    const isBulk = ((head >> 6) & 2) !== 0;
    const sizeAt = at + (isBulk ? 2 : 1);
    const dataAt = sizeAt + 2;
    const end = dataAt + (payload[sizeAt] ?? 0) + (payload[sizeAt + 1] ?? 0) * 256;
    if (end > payload.length) return undefined;
    const [raw, data] = [payload.subarray(at, end), payload.subarray(dataAt, end)];
    updates.push({ code: head & 0x0f, fragment: (head >> 4) & 3, isBulk, raw, data });
    at = end;
  }
  return updates;
}

/** The content of updates in place of this one; undefined if IronRDP draws it right. */
function mendedBitmaps(data: Bytes): Bytes[] | undefined {
  const bitmaps = bitmapsIn(data);
  const mended = bitmaps?.map(mendedBitmap);
  if (!bitmaps || mended?.every((each) => each === undefined) !== false) return undefined;
  return bitmaps.flatMap(({ raw }, index) => mended[index] ?? [raw]).map((raw) => join([oneBitmap, raw]));
}

/** The type of the update, and the number of bitmaps in it. */
const oneBitmap = Uint8Array.of(BITMAP_UPDATE, 0, 1, 0);

function bitmapsIn(data: Bytes): Bitmap[] | undefined {
  const view = viewOf(data);
  if (data.length < 4 || view.getUint16(0, true) !== BITMAP_UPDATE) return undefined;
  const bitmaps: Bitmap[] = [];
  let at = 4;
  for (let left = view.getUint16(2, true); left > 0; left--) {
    if (at + RECTANGLE_BYTES > data.length) return undefined;
    const end = at + RECTANGLE_BYTES + view.getUint16(at + 16, true);
    if (end > data.length) return undefined;
    bitmaps.push(bitmapOf(data.subarray(at, end)));
    at = end;
  }
  return bitmaps;
}

/** TS_BITMAP_DATA (MS-RDPBCGR 2.2.9.1.1.3.1.2.2). */
function bitmapOf(raw: Bytes): Bitmap {
  const view = viewOf(raw);
  const [left, top, right, bottom] = [0, 2, 4, 6].map((at) => view.getUint16(at, true)) as [
    number,
    number,
    number,
    number,
  ]; // as many as places
  const flags = view.getUint16(14, true);
  const isCompressed = (flags & COMPRESSED) !== 0;
  const hasHeader = isCompressed && (flags & NO_HEADER) === 0;
  return {
    ...{ left, top, raw, isCompressed },
    drawn: { width: right - left + 1, height: bottom - top + 1 },
    width: view.getUint16(8, true),
    height: view.getUint16(10, true),
    bitsPerPixel: view.getUint16(12, true),
    content: raw.subarray(RECTANGLE_BYTES + (hasHeader ? COMPRESSION_HEADER_BYTES : 0)),
  };
}

function mendedBitmap(bitmap: Bitmap): Bytes[] | undefined {
  const { width, height, drawn, isCompressed } = bitmap;
  const isWhole = width === drawn.width && height === drawn.height;
  if (isWhole && !isCompressed) return undefined;
  const decoded = isCompressed ? decodeRle(bitmap.content, bitmap) : undefined;
  if (isCompressed && (!decoded || (isWhole && !decoded.isRefused))) return undefined;
  const pixelBytes = Math.ceil(bitmap.bitsPerPixel / 8);
  const rows = decoded?.pixels ?? bitmap.content;
  const rowBytes = width * pixelBytes;
  return uncompressed(bitmap, { rows, rowBytes: decoded ? rowBytes : padded(rowBytes) });
}

/** As many bitmaps as their size needs, each of some rows. The lowest row comes first in each. */
function uncompressed(bitmap: Bitmap, { rows, rowBytes }: Pixels): Bytes[] | undefined {
  const width = Math.min(bitmap.width, bitmap.drawn.width);
  const height = Math.min(bitmap.height, bitmap.drawn.height);
  if (width <= 0 || height <= 0 || rows.length < rowBytes * bitmap.height) return undefined;
  const usedBytes = width * Math.ceil(bitmap.bitsPerPixel / 8);
  const outBytes = padded(usedBytes);
  const rowsAtOnce = Math.max(1, Math.floor((MAX_UPDATE_BYTES - RECTANGLE_BYTES) / outBytes));
  const bitmaps: Bytes[] = [];
  for (let from = 0; from < height; from += rowsAtOnce) {
    const count = Math.min(rowsAtOnce, height - from);
    const out = new Uint8Array(RECTANGLE_BYTES + count * outBytes);
    const [left, top] = [bitmap.left, bitmap.top + from];
    const head = [left, top, left + width - 1, top + count - 1, width, count, bitmap.bitsPerPixel, 0, count * outBytes];
    const view = viewOf(out);
    for (const [index, value] of head.entries()) view.setUint16(index * 2, value, true);
    for (let row = 0; row < count; row++) {
      const at = (bitmap.height - (from + count) + row) * rowBytes;
      out.set(rows.subarray(at, at + usedBytes), RECTANGLE_BYTES + row * outBytes);
    }
    bitmaps.push(out);
  }
  return bitmaps;
}

/** Rows of uncompressed bitmaps end at a multiple of four bytes. */
function padded(bytes: number): number {
  return (bytes + 3) & ~3;
}

function bitmapMessage(data: Bytes): Bytes {
  return fastPath(join([Uint8Array.of(BITMAP_UPDATE, data.length & 0xff, data.length >> 8), data]));
}

/** A message of one update. */
function fastPath(update: Bytes): Bytes {
  const length = 3 + update.length;
  return join([Uint8Array.of(FAST_PATH, 0x80 | (length >> 8), length & 0xff), update]);
}

function viewOf(bytes: Bytes): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function join(parts: readonly Bytes[]): Bytes {
  const joined = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}
