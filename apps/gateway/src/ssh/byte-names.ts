import { isAscii } from 'node:buffer';
import { bytesOfName, hasByteSigns, nameOfBytes } from '@tongtu/contract';

/** How ssh2 writes and reads names of files, and reads questions (`byte-names.ts` of the contract). */
export const byteNames = {
  byteLength: (name: string): number => (hasByteSigns(name) ? bytesOfName(name).length : Buffer.byteLength(name)),
  write(into: Buffer, name: string, offset: number): void {
    if (hasByteSigns(name)) into.set(bytesOfName(name), offset);
    else into.write(name, offset);
  },
  /** Undefined where the message ends before it. */
  read: (bytes: Buffer | undefined): string | undefined =>
    bytes && (isAscii(bytes) ? bytes.toString('latin1') : nameOfBytes(bytes)),
};
