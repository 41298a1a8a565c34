/** The bytes of a character as one number, the first byte on top; undefined where the encoding lacks it. */
type CodeOf = (point: number) => number | undefined;

const tables = new Map<'gb18030' | 'big5', CodeOf>();

/**
 * How an encoding writes characters. Node.js and browsers decode it, but encode UTF-8 alone, so the decoder is asked for
 * each of its codes: 30 ms, at the first use.
 */
export function encodingTable(encoding: 'gb18030' | 'big5'): CodeOf {
  const known = tables.get(encoding);
  if (known !== undefined) return known;
  const codeOf = encoding === 'gb18030' ? readGb18030() : readBig5();
  tables.set(encoding, codeOf);
  return codeOf;
}

/** GB 18030: two bytes for the characters of GBK, four for all others. */
function readGb18030(): CodeOf {
  const codes = new Uint32Array(0x1_0000);
  addTwoByteCodes(new TextDecoder('gb18030', { fatal: true }), { firstLead: 0x81, lastLead: 0xfe }, (point, code) => {
    if (point < codes.length) codes[point] ||= code;
  });
  const points = new TextDecoder('gb18030').decode(fourByteCodes());
  for (let pointer = 0; pointer < points.length; pointer++) {
    const point = points.charCodeAt(pointer);
    if (point !== 0xfffd || codes[point] === 0) codes[point] ||= fourByteCode(pointer);
  }
  return (point) => {
    if (point < 0x80) return point;
    if (point >= 0x1_0000) return fourByteCode(FIRST_ASTRAL_POINTER + point - 0x1_0000);
    return codes[point] || undefined;
  };
}

/** The codes of the characters below U+10000 that GBK lacks. */
const FOUR_BYTE_POINTERS = 39_420;
/** Of U+10000; from there on they follow each other. */
const FIRST_ASTRAL_POINTER = 189_000;

function fourByteCode(pointer: number): number {
  const first = 0x81 + Math.floor(pointer / 12_600);
  const second = 0x30 + (Math.floor(pointer / 1_260) % 10);
  const third = 0x81 + (Math.floor(pointer / 10) % 126);
  return first * 0x1_00_00_00 + second * 0x1_00_00 + third * 0x1_00 + 0x30 + (pointer % 10);
}

function fourByteCodes(): Uint8Array {
  const bytes = new Uint8Array(FOUR_BYTE_POINTERS * 4);
  const view = new DataView(bytes.buffer);
  for (let pointer = 0; pointer < FOUR_BYTE_POINTERS; pointer++) view.setUint32(pointer * 4, fourByteCode(pointer));
  return bytes;
}

/** Twice in Big5: the last code is the usual one (https://encoding.spec.whatwg.org/#index-big5-pointer). */
const LAST_CODE_COUNTS = new Set([0x2550, 0x255e, 0x2561, 0x256a, 0x5341, 0x5345]);

/** Big5, and behind it what Hong Kong has added (HKSCS), where the decoder knows it: that of Node.js does not. */
function readBig5(): CodeOf {
  const codes = new Map<number, number>();
  const decoder = new TextDecoder('big5', { fatal: true });
  addTwoByteCodes(decoder, { firstLead: 0xa1, lastLead: 0xfe }, (point, code) => {
    if (!codes.has(point) || LAST_CODE_COUNTS.has(point)) codes.set(point, code);
  });
  addTwoByteCodes(decoder, { firstLead: 0x81, lastLead: 0xa0 }, (point, code) => {
    if (!codes.has(point)) codes.set(point, code);
  });
  return (point) => (point < 0x80 ? point : codes.get(point));
}

type Decoder = InstanceType<typeof TextDecoder>;

function addTwoByteCodes(
  decoder: Decoder,
  { firstLead, lastLead }: { firstLead: number; lastLead: number },
  add: (point: number, code: number) => void,
): void {
  for (let lead = firstLead; lead <= lastLead; lead++)
    for (let trail = 0x40; trail <= 0xfe; trail++) {
      const point = onlyCharacter(decoder, lead, trail);
      if (point !== undefined) add(point, (lead << 8) | trail);
    }
}

function onlyCharacter(decoder: Decoder, lead: number, trail: number): number | undefined {
  try {
    const text = decoder.decode(Uint8Array.of(lead, trail));
    const point = text.codePointAt(0) ?? 0;
    // Some codes are two characters, a letter and its accent.
    return point >= 0x80 && text.length === (point > 0xffff ? 2 : 1) ? point : undefined;
  } catch {
    return undefined; // no character
  }
}
