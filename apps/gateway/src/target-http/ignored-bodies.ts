import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';

/** What is longer, or takes longer, costs its connection, which else could not be used again. */
const MAX_IGNORED_BYTES = 64 * 1024;
const MAX_IGNORED_MS = 10_000;

/** Drops the body of an answer, also where a library keeps it and never reads: its connection would never be free. */
export function dropBody(answer: IncomingMessage): void {
  const push = answer.push.bind(answer);
  const isWithin = allowanceOf(answer);
  answer.push = (chunk: Buffer | null): boolean => (chunk === null ? push(null) : isWithin(chunk.length));
  answer.resume();
}

/** Reads a body that nobody wants to its end, so that its connection can be used again. */
export function readAway(body: Readable): void {
  const isWithin = allowanceOf(body);
  body.on('error', () => {}).on('data', ({ length }: Buffer) => isWithin(length));
}

function allowanceOf(body: Readable): (length: number) => boolean {
  let left = MAX_IGNORED_BYTES;
  const timer = setTimeout(() => body.destroy(), MAX_IGNORED_MS).unref();
  body.once('close', () => clearTimeout(timer));
  return (length) => {
    left -= length;
    if (left < 0) body.destroy();
    return left >= 0;
  };
}
