/** The few parts of DER (X.690) that RDCleanPath and public keys use: short tags and definite lengths. */

const LONG_FORM = 0x80;

export type DerElement = { tag: number; content: Buffer };

export function encodeDer(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const head = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  if (length > 0xffff) throw new RangeError('a DER element of more than 64 KB');
  return Buffer.concat([Buffer.of(tag, ...head), content]);
}

/** The length of the element at the beginning, with its head; undefined while too little of it is there. */
export function derLength(bytes: Buffer): number | undefined {
  const first = bytes[1];
  if (first === undefined) return undefined;
  if (first < LONG_FORM) return 2 + first;
  const count = first - LONG_FORM;
  if (count === 0 || count > 3) throw new RangeError('a DER length of this form is not used');
  return bytes.length < 2 + count ? undefined : 2 + count + bytes.readUIntBE(2, count);
}

/** The elements that follow each other. Throws RangeError where the last one is not whole. */
export function decodeDer(bytes: Buffer): DerElement[] {
  const elements: DerElement[] = [];
  for (let rest = bytes; rest.length > 0;) {
    const length = derLength(rest);
    if (length === undefined || length > rest.length) throw new RangeError('a DER element is cut off');
    const headLength = (rest[1] ?? 0) < LONG_FORM ? 2 : 2 + (rest[1] ?? 0) - LONG_FORM;
    elements.push({ tag: rest[0] ?? 0, content: rest.subarray(headLength, length) });
    rest = rest.subarray(length);
  }
  return elements;
}
