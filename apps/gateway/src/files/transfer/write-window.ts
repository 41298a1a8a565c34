type WriteWindow = {
  source: AsyncIterable<Uint8Array>;
  start: number;
  chunkBytes: number;
  /** Writes at most so many bytes at a time, which bounds memory. */
  windowBytes: number;
  /** Parts that belong together: joining them would copy each byte once more. */
  writeAt: (parts: readonly Uint8Array[], position: number) => Promise<void>;
};

/**
 * Writes a source with several requests in flight. When the source fails, what it had is written before its error is
 * thrown. Returns the offset behind the last byte.
 */
export async function writeWindow({ source, start, chunkBytes, windowBytes, writeAt }: WriteWindow): Promise<number> {
  const inFlight = Math.max(1, Math.floor(windowBytes / chunkBytes));
  const running = new Set<Promise<void>>();
  let failure: { error: unknown } | undefined;
  let position = start;
  const put = async (parts: readonly Uint8Array[]): Promise<void> => {
    const write = writeAt(parts, position)
      .catch((error: unknown) => {
        failure ??= { error };
      })
      .finally(() => running.delete(write));
    position += parts.reduce((sum, part) => sum + part.length, 0);
    running.add(write);
    if (running.size >= inFlight) await Promise.race(running);
    if (failure) throw failure.error;
  };
  try {
    for await (const parts of inChunks(source, chunkBytes)) await put(parts);
  } finally {
    await Promise.all(running);
  }
  if (failure) throw failure.error;
  return position;
}

/** Joins small pieces and cuts large ones: each request to the target has its price. */
async function* inChunks(source: AsyncIterable<Uint8Array>, chunkBytes: number): AsyncGenerator<readonly Uint8Array[]> {
  let held: Uint8Array[] = [];
  let heldBytes = 0;
  const takeHeld = (): readonly Uint8Array[] => {
    const parts = held;
    held = [];
    heldBytes = 0;
    return parts;
  };
  let sourceFailure: { error: unknown } | undefined;
  try {
    for await (const data of source) {
      for (let from = 0; from < data.length;) {
        const part = data.subarray(from, from + chunkBytes - heldBytes);
        held.push(part);
        heldBytes += part.length;
        from += part.length;
        if (heldBytes === chunkBytes) yield takeHeld();
      }
    }
  } catch (error) {
    sourceFailure = { error };
  }
  if (heldBytes > 0) yield takeHeld();
  if (sourceFailure) throw sourceFailure.error;
}
