import { FileError, type ReadRange } from '../file-system.ts';

type ReadWindow = ReadRange & {
  chunkBytes: number;
  /** Reads at most so many chunks ahead, which bounds memory. */
  inFlight: number;
  /** Reads up to `length` bytes; fewer is fine, none means that the file ends here. */
  readAt: (position: number, length: number) => Promise<Buffer>;
};

/** Reads a range in order with several requests in flight, so that a long way to the target costs no speed. */
export async function* readWindow({ start, end, chunkBytes, inFlight, readAt }: ReadWindow): AsyncGenerator<Buffer> {
  const queue: Promise<Buffer[]>[] = [];
  let asked = start;
  const ask = (): void => {
    const length = Math.min(chunkBytes, end - asked);
    const chunk = readWhole(readAt, asked, length);
    chunk.catch(() => {}); // thrown below, unless the reader has stopped before
    queue.push(chunk);
    asked += length;
  };
  while (asked < end && queue.length < inFlight) ask();
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const parts = await next;
    if (asked < end) ask();
    yield* parts;
  }
}

/** A target may return less than was asked for in the middle of a file. */
async function readWhole(readAt: ReadWindow['readAt'], position: number, length: number): Promise<Buffer[]> {
  const parts: Buffer[] = [];
  for (let got = 0; got < length;) {
    const part = await readAt(position + got, length - got);
    if (part.length === 0 || part.length > length - got) throw new FileError('changed'); // the file got shorter
    parts.push(part);
    got += part.length;
  }
  return parts;
}
