import type { Shell } from './shell.ts';

/** Each write that waits takes several hundred bytes of memory, however short it is. */
const MAX_WAITING_IN_SHELL_BYTES = 8 * 1024;
const MIN_PIECE_BYTES = 4 * 1024;
const MAX_PARTS = 64;

/** Input that a target does not take. It goes on in pieces worth a write, because a browser may send it byte by byte. */
export class HeldInput {
  #parts: Buffer[] = [];
  bytes = 0;

  write(shell: Shell, input: Buffer): void {
    this.#parts.push(input);
    this.bytes += input.length;
    this.release(shell);
    if (this.#parts.length > MAX_PARTS) this.#parts = [Buffer.concat(this.#parts)];
  }

  /** To be called when the shell has sent something. */
  release(shell: Shell): void {
    if (this.bytes === 0) return;
    if (this.bytes < MIN_PIECE_BYTES && shell.unsentBytes > MAX_WAITING_IN_SHELL_BYTES) return;
    const input = this.#parts.length === 1 ? this.#parts[0] : Buffer.concat(this.#parts);
    this.clear();
    if (input !== undefined) shell.write(input);
  }

  clear(): void {
    this.#parts = [];
    this.bytes = 0;
  }
}
