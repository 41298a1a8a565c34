import { FileError, type ReadRange } from '../file-system.ts';

const MIN_CHUNK_BYTES = 16 * 1024;

type ReadWindow = ReadRange & {
  chunkBytes: number;
  /** Reads at most so many bytes ahead, which bounds memory. */
  windowBytes: number;
  /** Reads up to `length` bytes; fewer is fine, none means that the file ends here. */
  readAt: (position: number, length: number) => Promise<Buffer>;
};

/** Reads a range in order with several requests in flight, so that a long way to the target costs no speed. */
export async function* readWindow(window: ReadWindow): AsyncGenerator<Buffer> {
  const { start, end, windowBytes, readAt } = window;
  let { chunkBytes } = window;
  const queue: { length: number; chunk: Promise<Buffer[]> }[] = [];
  let asked = start;
  let inFlightBytes = 0;
  const askForMore = (): void => {
    while (asked < end && (queue.length === 0 || inFlightBytes + chunkBytes <= windowBytes)) {
      const length = Math.min(chunkBytes, end - asked);
      const chunk = readWhole(readAt, asked, length, (firstBytes) => {
        // More smaller requests at once are faster than asking for each rest after its answer.
        chunkBytes = Math.min(chunkBytes, Math.max(MIN_CHUNK_BYTES, firstBytes));
      });
      chunk.catch(() => {}); // thrown below, unless the reader has stopped before
      queue.push({ length, chunk });
      asked += length;
      inFlightBytes += length;
    }
  };
  askForMore();
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const parts = await next.chunk;
    inFlightBytes -= next.length;
    askForMore();
    yield* parts;
  }
}

/** A target may return less than was asked for in the middle of a file. */
async function readWhole(
  readAt: ReadWindow['readAt'],
  position: number,
  length: number,
  onShort: (firstBytes: number) => void,
): Promise<Buffer[]> {
  const parts: Buffer[] = [];
  for (let got = 0; got < length;) {
    const part = await readAt(position + got, length - got);
    if (part.length === 0 || part.length > length - got) throw new FileError('changed'); // the file got shorter
    if (got === 0 && part.length < length) onShort(part.length);
    parts.push(part);
    got += part.length;
  }
  return parts;
}
