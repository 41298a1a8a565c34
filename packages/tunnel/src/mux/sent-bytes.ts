import { must } from '@tongtu/base';

const UINT32 = 2 ** 32;

/**
 * What a mux has sent: how many bytes, how many of them the peer is known to have received, and, as long as they are
 * kept, the bytes in between, which another connection can send again.
 */
export class SentBytes {
  #buffers: Buffer[] = [];
  #head = 0;
  /** The position of the first kept byte in the mux's output. */
  #keptFrom = 0;
  #isKeeping: boolean;
  #total = 0;
  #received = 0;

  constructor({ isKeeping }: { isKeeping: boolean }) {
    this.#isKeeping = isKeeping;
  }

  get total(): number {
    return this.#total;
  }

  get inFlight(): number {
    return this.#total - this.#received;
  }

  get isKeeping(): boolean {
    return this.#isKeeping;
  }

  add(buffers: Buffer[]): void {
    for (const buffer of buffers) {
      this.#total += buffer.length;
      if (this.#isKeeping) this.#buffers.push(buffer);
    }
  }

  /** The peer has received the first `total` bytes, perhaps more. Returns whether it was not known. */
  confirm(total: number): boolean {
    if (total <= this.#received) return false;
    this.#received = total;
    this.#drop();
    return true;
  }

  /** As `confirm`, with the lower 32 bits of the number. One that can only be old, or false, says nothing. */
  confirmLow32(low: number): boolean {
    const more = (low - (this.#received % UINT32) + UINT32) % UINT32;
    return more <= this.inFlight && this.confirm(this.#received + more);
  }

  /** All bytes after the first `total`, or undefined if they are not kept any more or were never sent. */
  since(total: number): Buffer[] | undefined {
    if (!this.#isKeeping || total < this.#received || total > this.#total) return undefined;
    this.confirm(total);
    const buffers = this.#buffers.slice(this.#head);
    const [first] = buffers;
    if (first !== undefined) buffers[0] = first.subarray(total - this.#keptFrom);
    return buffers;
  }

  /** From now on it only counts. */
  stopKeeping(): void {
    this.#isKeeping = false;
    this.#buffers = [];
    this.#head = 0;
  }

  #drop(): void {
    if (!this.#isKeeping) return;
    while (this.#head < this.#buffers.length) {
      const { length } = must(this.#buffers[this.#head], 'kept buffer');
      if (this.#keptFrom + length > this.#received) break;
      this.#keptFrom += length;
      this.#head++;
    }
    // Amortised: each buffer is moved at most once for every buffer that was dropped.
    if (this.#head * 2 < this.#buffers.length) return;
    this.#buffers.splice(0, this.#head);
    this.#head = 0;
  }
}
