import { expect, test } from 'vitest';
import { BitmapUpdates } from './bitmap-updates.ts';
import { decodeRle } from './decode-rle.ts';

type Bytes = Uint8Array<ArrayBuffer>;
const words = (...values: number[]) => values.flatMap((value) => [value & 0xff, value >> 8]);

/** `right` and `bottom` are what is drawn, `width` and `height` what the bitmap has. */
function bitmap(
  place: { right: number; bottom: number; width: number; height: number },
  content: number[],
  flags: number,
) {
  const { right, bottom, width, height } = place;
  return [...words(0, 0, right, bottom, width, height, 24, flags, content.length), ...content];
}

function message(...bitmaps: number[][]): Bytes {
  const data = [...words(1, bitmaps.length), ...bitmaps.flat()];
  return fastPath([1, ...words(data.length), ...data]);
}

function fastPath(update: number[]): Bytes {
  const length = update.length + 3;
  return Uint8Array.from([0, 0x80 | (length >> 8), length & 0xff, ...update]);
}

const NO_HEADER = 0x401;
const grey = (value: number) => [value, value, value];
/** Two rows of four pixels as one image order; the lowest row comes first. */
const image = [0x88, ...[1, 2, 3, 99, 4, 5, 6, 99].flatMap(grey)];
const pushed = (updates: BitmapUpdates, bytes: Bytes) => updates.push(bytes).flatMap((part) => [...part]);

test('a bitmap that is wider than what is drawn is handed on as wide as that, without compression', () => {
  const updates = new BitmapUpdates();
  const padded = message(bitmap({ right: 2, bottom: 1, width: 4, height: 2 }, image, NO_HEADER));
  // Rows end at a multiple of four bytes.
  const rows = [...[1, 2, 3].flatMap(grey), 0, 0, 0, ...[4, 5, 6].flatMap(grey), 0, 0, 0];
  expect(pushed(updates, padded)).toEqual([...message(bitmap({ right: 2, bottom: 1, width: 3, height: 2 }, rows, 0))]);
});

test('what IronRDP draws right passes unchanged, whatever it is', () => {
  const updates = new BitmapUpdates();
  const whole = message(bitmap({ right: 3, bottom: 1, width: 4, height: 2 }, image, NO_HEADER));
  const others = [
    Uint8Array.from([0x30, 3, 1, 2, 3]), // RDCleanPath
    Uint8Array.from([3, 0, 0, 5, 9]), // TPKT
    whole,
    fastPath([5, ...words(0)]), // a pointer
    fastPath([4, ...words(2), 1, 2]), // surface commands
    Uint8Array.from([0x0a, 1, 2]), // unknown
    whole,
  ];
  for (const bytes of others) expect(pushed(updates, bytes)).toEqual([...bytes]);
});

test('messages that are cut anywhere are put together, and lose nothing', () => {
  const padded = message(bitmap({ right: 2, bottom: 1, width: 4, height: 2 }, image, NO_HEADER));
  const stream = Uint8Array.from([3, 0, 0, 5, 9, ...padded, ...padded, 3, 0, 0, 4]);
  const expected = pushed(new BitmapUpdates(), stream);
  expect(expected.length).toBeLessThan(stream.length);
  for (let cut = 1; cut < stream.length; cut++) {
    const updates = new BitmapUpdates();
    const parts = [...pushed(updates, stream.slice(0, cut)), ...pushed(updates, stream.slice(cut))];
    expect(parts).toEqual(expected);
  }
});

test('fragments of an update are mended together; so is the update beside others in one message', () => {
  const padded = bitmap({ right: 2, bottom: 1, width: 4, height: 2 }, image, NO_HEADER);
  const data = [...words(1, 1), ...padded];
  const fragment = (kind: number, part: number[]) => [1 | (kind << 4), ...words(part.length), ...part];
  const expected = pushed(new BitmapUpdates(), message(padded));
  const updates = new BitmapUpdates();
  expect(pushed(updates, fastPath(fragment(2, data.slice(0, 10))))).toEqual([]);
  expect(pushed(updates, fastPath(fragment(3, data.slice(10, 20))))).toEqual([]);
  expect(pushed(updates, fastPath(fragment(1, data.slice(20))))).toEqual(expected);
  const pointer = [5, ...words(0)];
  const both = fastPath([...pointer, 1, ...words(data.length), ...data]);
  expect(pushed(updates, both)).toEqual([...fastPath(pointer), ...expected]);
});

test('an update outside of the fast path is mended as well', () => {
  const padded = bitmap({ right: 2, bottom: 1, width: 4, height: 2 }, image, NO_HEADER);
  const data = [...words(1, 1), ...padded];
  const slow = (kind: number, flags: number) => {
    const pdu = [
      ...words(18 + data.length, 0x17, 9),
      1,
      0,
      1,
      0,
      0,
      1,
      ...words(data.length),
      kind,
      flags,
      ...words(0),
      ...data,
    ];
    const mcs = [0x68, 0, 1, 3, 0xeb, 0x70, 0x80 | (pdu.length >> 8), pdu.length & 0xff, ...pdu];
    return Uint8Array.from([3, 0, 0, 7 + mcs.length, 2, 0xf0, 0x80, ...mcs]);
  };
  expect(pushed(new BitmapUpdates(), slow(2, 0))).toEqual(pushed(new BitmapUpdates(), message(padded)));
  for (const other of [slow(2, 0x20), slow(0x1b, 0)]) expect(pushed(new BitmapUpdates(), other)).toEqual([...other]);
});

test('a large bitmap becomes several updates of some rows, each from its lowest row to its highest', () => {
  const [width, height] = [1_000, 30];
  const rows = Array.from({ length: height }, (_, row) => [0xf3, ...words(width), ...grey(row)]).flat();
  const mended = pushed(
    new BitmapUpdates(),
    message(bitmap({ right: width - 2, bottom: height - 1, width, height }, rows, NO_HEADER)),
  );
  const seen: number[] = [];
  for (let at = 0; at < mended.length;) {
    const bytes = Uint8Array.from(mended.slice(at));
    const view = new DataView(bytes.buffer);
    const [top, bottom] = [view.getUint16(12, true), view.getUint16(16, true)];
    expect(view.getUint16(14, true)).toBe(width - 2); // right
    const rowBytes = view.getUint16(26, true) / (bottom - top + 1);
    for (let row = 0; row <= bottom - top; row++) seen.push(view.getUint8(28 + row * rowBytes));
    at += (bytes[1]! & 0x7f) * 256 + bytes[2]!;
  }
  expect(seen.toSorted((left, right) => left - right)).toEqual(Array.from({ length: height }, (_, row) => row));
  expect(seen[0]).toBeGreaterThan(seen.at(-1)!); // the upper rows come first, and the lowest row ends it
});

test('a stream that ends with a foreground run, which IronRDP refuses, is handed on as pixels', () => {
  const place = { right: 3, bottom: 1, width: 4, height: 2 };
  const ending = [0x84, ...[1, 2, 3, 4].flatMap(grey), 0x24];
  const rows = [...[1, 2, 3, 4].flatMap(grey), ...[254, 253, 252, 251].flatMap(grey)];
  expect(pushed(new BitmapUpdates(), message(bitmap(place, ending, NO_HEADER)))).toEqual([
    ...message(bitmap(place, rows, 0)),
  ]);
});

test('bytes that are no bitmap are left to IronRDP, which drops them', () => {
  const tooLong = message(
    bitmap({ right: 2, bottom: 1, width: 4, height: 2 }, [0xf3, ...words(9), 1, 1, 1], NO_HEADER),
  );
  const huge = message(
    bitmap({ right: 2, bottom: 1, width: 65_535, height: 65_535 }, [0xf3, ...words(9), 1, 1, 1], 0x401),
  );
  const cut = message(bitmap({ right: 2, bottom: 1, width: 4, height: 2 }, [0x88, 1], NO_HEADER));
  for (const bytes of [tooLong, huge, cut]) expect(pushed(new BitmapUpdates(), bytes)).toEqual([...bytes]);
});

test('each order is decoded as the specification says', () => {
  const decode = (source: number[], width: number, height: number) => [
    ...(decodeRle(Uint8Array.from(source), { width, height, bitsPerPixel: 8 })?.pixels ?? []),
  ];
  // Background after background has a pixel of the foreground between them; in the first row all above is black.
  expect(decode([0x02, 0x02], 4, 1)).toEqual([0, 0, 255, 0]);
  expect(decode([0xc2, 7, 0x62, 5, 0x02, 0xc2, 1], 4, 2)).toEqual([7, 7, 5, 5, 7, 7, 4, 4]);
  expect(decode([0xd1, 9, 0b0101_0011], 8, 1)).toEqual([9, 9, 0, 0, 9, 0, 9, 0]);
  expect(decode([0xe2, 1, 2, 0xfd, 0xfe], 6, 1)).toEqual([1, 2, 1, 2, 255, 0]);
  expect(decode([0xf9, 0xfa], 8, 2)).toEqual([255, 255, 0, 0, 0, 0, 0, 0, 0, 255, 255, 0, 0, 0, 0, 0]);
  expect(decode([0x60, 1, 4], 33, 1)).toEqual(Array.from({ length: 33 }, () => 4));
});
