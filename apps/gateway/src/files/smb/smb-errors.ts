import type { FileFailure } from '@tongtu/contract';
import { TargetError } from '../../session/live-session.ts';
import { FileError } from '../file-system.ts';

/** MS-ERREF §2.3 */
export const STATUS = {
  success: 0,
  pending: 0x103,
  bufferOverflow: 0x80000005,
  noMoreFiles: 0x80000006,
  endOfFile: 0xc0000011,
  moreProcessing: 0xc0000016,
} as const;

const failures = new Map<number, FileFailure>([
  [0xc000000f, 'not-found'],
  [0xc0000034, 'not-found'],
  [0xc000003a, 'not-found'],
  [0xc0000056, 'not-found'], // is being deleted
  [0xc00000cc, 'not-found'], // no such share
  [0xc0000022, 'forbidden'],
  [0xc00000a2, 'forbidden'], // write protected
  [0xc0000121, 'forbidden'], // read-only file
  [0xc0000035, 'exists'],
  [0xc0000101, 'not-empty'],
  [0xc0000103, 'not-a-folder'],
  [0xc00000ba, 'not-a-file'],
  [0xc0000044, 'disk-full'], // quota
  [0xc000007f, 'disk-full'],
  [0xc0000043, 'in-use'],
  [0xc0000054, 'in-use'],
  [0xc0000033, 'name-not-possible'],
  [0xc0000106, 'name-not-possible'],
  [0xc0000039, 'name-not-possible'],
  [0xc000003b, 'name-not-possible'],
  [0xc0000010, 'not-supported'],
  [0xc00000bb, 'not-supported'],
  [0xc00000d4, 'other-volume'],
]);

/** The session at the server has ended: it must be opened again. */
const lost = new Set([0xc00000c9, 0xc0000203, 0xc000035c]);

export class SmbStatusError extends Error {
  override readonly name = 'SmbStatusError';
  readonly status: number;
  constructor(status: number) {
    super(`status 0x${status.toString(16)}`);
    this.status = status;
  }
}

/** What a refused call means to the user. */
export function smbError(error: unknown): unknown {
  if (!(error instanceof SmbStatusError)) return error;
  if (lost.has(error.status)) return new TargetError('lost', { cause: error });
  return new FileError(failures.get(error.status) ?? 'failed', { cause: error });
}
