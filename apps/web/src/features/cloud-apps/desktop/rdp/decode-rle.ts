/** What IronRDP takes at most. */
const MAX_SIDE = 8_192;
const MAX_BYTES = 64 * 1024 * 1024;

/** Orders by their codes (MS-RDPBCGR 2.2.9.1.1.3.1.2.4), which have 3, 4 or 8 bits. The long ones have two bytes of length. */
const REGULAR: readonly Order[] = ['background', 'foreground', 'mask', 'colour', 'image'];
const LITE: Record<number, Order> = { 0xc: 'set-foreground', 0xd: 'set-mask', 0xe: 'dithered' };
const LONG: Record<number, Order> = {
  ...{ 0xf0: 'background', 0xf1: 'foreground', 0xf2: 'mask', 0xf3: 'colour', 0xf4: 'image' },
  ...{ 0xf6: 'set-foreground', 0xf7: 'set-mask', 0xf8: 'dithered' },
};
const SPECIAL: Record<number, Order> = { 0xf9: 'mask-3', 0xfa: 'mask-5', 0xfd: 'white', 0xfe: 'black' };

type Order =
  | ('background' | 'foreground' | 'set-foreground' | 'mask' | 'set-mask' | 'colour' | 'image' | 'dithered')
  | ('mask-3' | 'mask-5' | 'white' | 'black');

export type RleBitmap = { width: number; height: number; bitsPerPixel: number };
export type DecodedRle = {
  /** Rows from the lowest to the highest, without padding. */
  pixels: Uint8Array;
  /** IronRDP 0.7.0 refuses the stream: it wants a pixel behind a foreground run that has none, see below. */
  isRefused: boolean;
};

/** Interleaved run-length encoding of 8, 15, 16 and 24 bits for each pixel. Undefined for what is none. */
export function decodeRle(source: Uint8Array, bitmap: RleBitmap): DecodedRle | undefined {
  const { width, height, bitsPerPixel } = bitmap;
  const pixelBytes = Math.ceil(bitsPerPixel / 8);
  const isPossible = width > 0 && height > 0 && Math.max(width, height) <= MAX_SIDE;
  if (!isPossible || pixelBytes > 3 || width * height * pixelBytes > MAX_BYTES) return undefined;
  try {
    return new RleDecoder(source, bitmap, pixelBytes).decode();
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

class RleDecoder {
  readonly #source: Uint8Array;
  readonly #pixels: Uint8Array;
  readonly #pixelBytes: number;
  readonly #rowBytes: number;
  readonly #white: number;
  #foreground: number;
  #isFirstRow = true;
  #from = 0;
  #to = 0;

  constructor(source: Uint8Array, { width, height, bitsPerPixel }: RleBitmap, pixelBytes: number) {
    this.#source = source;
    this.#pixelBytes = pixelBytes;
    this.#rowBytes = width * pixelBytes;
    this.#pixels = new Uint8Array(this.#rowBytes * height);
    this.#white = 2 ** bitsPerPixel - 1;
    this.#foreground = this.#white;
  }

  decode(): DecodedRle {
    let isRefused = false;
    let followsBackground = false;
    while (this.#from < this.#source.length) {
      // A run that leaves the first row goes on as it has begun.
      if (this.#isFirstRow && this.#to >= this.#rowBytes) {
        this.#isFirstRow = false;
        followsBackground = false;
      }
      const { order, length } = this.#readOrder();
      if (order === 'background') {
        // Two of them one after the other have a pixel of the foreground between them.
        if (followsBackground) this.#write(this.#above() ^ this.#foreground);
        for (let left = followsBackground ? length - 1 : length; left > 0; left--) this.#write(this.#above());
        followsBackground = true;
        continue;
      }
      followsBackground = false;
      if (order === 'foreground' && this.#source.length - this.#from < this.#pixelBytes) isRefused = true;
      this.#run(order, length);
    }
    return { pixels: this.#pixels, isRefused };
  }

  #readOrder(): { order: Order; length: number } {
    const head = this.#readByte();
    if (head >= 0xf0) {
      const special = SPECIAL[head];
      if (special) return { order: special, length: 1 };
      const long = LONG[head];
      const length = this.#readByte() + this.#readByte() * 256;
      if (long === undefined || length === 0) throw new RangeError('no order');
      return { order: long, length };
    }
    const isLite = head >= 0xc0;
    const order = isLite ? LITE[head >> 4] : REGULAR[head >> 5];
    if (order === undefined) throw new RangeError('no order');
    const mask = isLite ? 0x0f : 0x1f;
    const length = head & mask;
    if (order === 'mask' || order === 'set-mask')
      return { order, length: length === 0 ? this.#readByte() + 1 : length * 8 };
    return { order, length: length === 0 ? this.#readByte() + mask + 1 : length };
  }

  #run(order: Exclude<Order, 'background'>, length: number): void {
    switch (order) {
      case 'set-foreground':
      case 'foreground':
        if (order === 'set-foreground') this.#foreground = this.#readPixel();
        for (let left = length; left > 0; left--) this.#write(this.#above() ^ this.#foreground);
        return;
      case 'dithered': {
        const [first, second] = [this.#readPixel(), this.#readPixel()];
        for (let left = length; left > 0; left--) {
          this.#write(first);
          this.#write(second);
        }
        return;
      }
      case 'colour': {
        const colour = this.#readPixel();
        for (let left = length; left > 0; left--) this.#write(colour);
        return;
      }
      case 'image':
        for (let left = length; left > 0; left--) this.#write(this.#readPixel());
        return;
      case 'set-mask':
      case 'mask':
        if (order === 'set-mask') this.#foreground = this.#readPixel();
        for (let left = length; left > 0; left -= 8) this.#mask(this.#readByte(), Math.min(8, left));
        return;
      case 'mask-3':
        return this.#mask(0x03, 8);
      case 'mask-5':
        return this.#mask(0x05, 8);
      case 'white':
        return this.#write(this.#white);
      case 'black':
        return this.#write(0);
    }
  }

  /** A bit for each pixel: whether it differs from the one above by the foreground. */
  #mask(bits: number, count: number): void {
    for (let bit = 0; bit < count; bit++) {
      const above = this.#above();
      this.#write((bits >> bit) & 1 ? above ^ this.#foreground : above);
    }
  }

  /** Above the first row all is black. */
  #above(): number {
    return this.#isFirstRow ? 0 : pixelAt(this.#pixels, this.#to - this.#rowBytes, this.#pixelBytes);
  }

  #write(pixel: number): void {
    if (this.#to + this.#pixelBytes > this.#pixels.length) throw new RangeError('more pixels than the bitmap has');
    for (let byte = 0; byte < this.#pixelBytes; byte++) this.#pixels[this.#to++] = pixel >> (8 * byte);
  }

  #readPixel(): number {
    this.#from += this.#pixelBytes;
    if (this.#from > this.#source.length) throw new RangeError('the stream ends too early');
    return pixelAt(this.#source, this.#from - this.#pixelBytes, this.#pixelBytes);
  }

  #readByte(): number {
    const byte = this.#source[this.#from++];
    if (byte === undefined) throw new RangeError('the stream ends too early');
    return byte;
  }
}

function pixelAt(bytes: Uint8Array, at: number, count: number): number {
  let pixel = 0;
  for (let byte = 0; byte < count; byte++) pixel |= (bytes[at + byte] ?? 0) << (8 * byte);
  return pixel;
}
