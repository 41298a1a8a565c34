import { FileError, type ReadRange } from '../file-system.ts';

/**
 * The one range that a request asks for (RFC 9110 §14.2). Undefined: the whole file, also for several ranges and for
 * what cannot be read, as the RFC allows. Fails when the file has nothing of it.
 */
export function readByteRange(header: string | undefined, size: number): ReadRange | undefined {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '');
  const [, first = '', last = ''] = match ?? [];
  if (first === '' && last === '') return undefined;
  if (first === '') {
    const start = Math.max(0, size - Number(last));
    if (start >= size) throw new FileError('range-not-possible');
    return { start, end: size };
  }
  const start = Number(first);
  if (last !== '' && Number(last) < start) return undefined;
  if (start >= size) throw new FileError('range-not-possible');
  return { start, end: last === '' ? size : Math.min(size, Number(last) + 1) };
}
