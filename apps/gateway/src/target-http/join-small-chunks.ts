import type { IncomingMessage } from 'node:http';

const SMALL_BYTES = 1024;

/**
 * Joins the small chunks of an answer that have come together. A target may send each byte as a chunk of its own (RFC
 * 9112 §7.1), and each would take a hundred times its size in memory, and as much time as a large one.
 */
export function joinSmallChunks(answer: IncomingMessage): void {
  const push = answer.push.bind(answer);
  let held: Buffer[] = [];
  const flush = (): boolean => {
    if (held.length === 0) return true;
    const joined = Buffer.concat(held);
    held = [];
    return push(joined);
  };
  answer.push = (chunk: Buffer | null): boolean => {
    if (chunk === null || chunk.length >= SMALL_BYTES) {
      flush();
      return push(chunk);
    }
    // The parser goes through all bytes of a read at once.
    if (held.length === 0) process.nextTick(flush);
    held.push(chunk);
    return true;
  };
}
