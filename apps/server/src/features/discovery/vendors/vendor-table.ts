import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';

const decompress = promisify(brotliDecompress);

const FILE = path.join(import.meta.dirname, 'vendors.txt.br');
/** The lengths of the prefixes that the IEEE assigns, in hexadecimal digits. */
const prefixLengths = [9, 7, 6];
const NEW_LINE = 0x0a;
/** The bit of a MAC address that its device has chosen itself, as phones do. */
const LOCALLY_ADMINISTERED = 0b10;

/** The makers of network cards: sorted lines of prefix and name. It takes 1.6 MB, so it is loaded for one scan. */
export class VendorTable {
  readonly #lines: Buffer;

  private constructor(lines: Buffer) {
    this.#lines = lines;
  }

  static async load(): Promise<VendorTable> {
    return new VendorTable(await decompress(await readFile(FILE)));
  }

  /** Empty if unknown, and for an address that is random. */
  find(mac: string): string {
    const digits = mac.replaceAll(':', '').toUpperCase();
    if ((Number.parseInt(digits.slice(0, 2), 16) & LOCALLY_ADMINISTERED) !== 0) return '';
    for (const length of prefixLengths) {
      const name = this.#findPrefix(digits.slice(0, length));
      if (name !== undefined) return name;
    }
    return '';
  }

  #findPrefix(prefix: string): string | undefined {
    let low = 0;
    let high = this.#lines.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const start = this.#lines.lastIndexOf(NEW_LINE, middle - 1) + 1;
      const end = this.#lines.indexOf(NEW_LINE, middle);
      const line = this.#lines.toString('utf8', start, end === -1 ? this.#lines.length : end);
      const [found = '', name = ''] = line.split('\t');
      if (found === prefix) return name;
      if (found < prefix) low = end === -1 ? this.#lines.length : end + 1;
      else high = start;
    }
    return undefined;
  }
}
