import type { Readable } from 'node:stream';
import { TargetError } from '../../session/live-session.ts';

/** Of a target that stops in the middle of its answer. A disk that has to wake up first takes some seconds. */
const SILENCE_MS = 60_000;

/** The bytes of an answer, which may take as long as they like while some come. */
export async function* answerBody(body: Readable): AsyncGenerator<Buffer> {
  let silence: NodeJS.Timeout | undefined;
  // Not while the reader takes its time.
  const expectBytes = (): void => {
    silence = setTimeout(() => body.destroy(new TargetError('timed-out')), SILENCE_MS);
  };
  try {
    expectBytes();
    for await (const chunk of body as AsyncIterable<Buffer>) {
      clearTimeout(silence);
      yield chunk;
      expectBytes();
    }
  } finally {
    clearTimeout(silence);
  }
}
