import { expect, test } from 'vitest';
import { readWindow } from './read-window.ts';

const KIB = 1024;
const content = Buffer.from(Array.from({ length: 1_000 * KIB }, (_, index) => index % 251));

type Target = { maxBytes?: number; content?: Buffer };

/** A target that returns at most `maxBytes` at once, and what it was asked for. */
function createTarget({ maxBytes = Number.POSITIVE_INFINITY, content: file = content }: Target) {
  const asked: number[] = [];
  const waiting: { bytes: number; answer: () => void }[] = [];
  return {
    asked,
    waitingBytes: () => waiting.reduce((sum, { bytes }) => sum + bytes, 0),
    answerNext: () => waiting.shift()?.answer(),
    readAt: async (position: number, length: number): Promise<Buffer> => {
      asked.push(length);
      await new Promise<void>((resolve) => {
        waiting.push({ bytes: length, answer: resolve });
      });
      return file.subarray(position, position + Math.min(length, maxBytes));
    },
  };
}

async function readAll(target: ReturnType<typeof createTarget>, end: number, onAnswer = () => {}): Promise<Buffer> {
  const parts: Buffer[] = [];
  const options = { start: 0, end, chunkBytes: 256 * KIB, windowBytes: 512 * KIB, readAt: target.readAt };
  let isDone = false;
  const reading = (async () => {
    for await (const part of readWindow(options)) parts.push(part);
  })().finally(() => {
    isDone = true;
  });
  reading.catch(() => {}); // thrown below
  while (!isDone) {
    onAnswer();
    target.answerNext();
    await new Promise(setImmediate);
  }
  await reading;
  return Buffer.concat(parts);
}

test('the bytes come in order, and never are more than the window on their way', async () => {
  const target = createTarget({});
  const most: number[] = [];
  const read = await readAll(target, content.length, () => most.push(target.waitingBytes()));
  expect(read.equals(content)).toBe(true);
  expect(Math.max(...most)).toBe(512 * KIB);
  expect(target.asked).toEqual([256 * KIB, 256 * KIB, 256 * KIB, 232 * KIB]);
});

test('a target that returns less is asked for less, more often at a time', async () => {
  const target = createTarget({ maxBytes: 64 * KIB });
  const read = await readAll(target, content.length);
  expect(read.equals(content)).toBe(true);
  const afterFirstAnswers = target.asked.slice(8);
  expect(afterFirstAnswers.every((bytes) => bytes <= 64 * KIB)).toBe(true);
});

test('a file that ends early fails the read', async () => {
  const target = createTarget({ content: content.subarray(0, 300 * KIB) });
  await expect(readAll(target, content.length)).rejects.toMatchObject({ code: 'changed' });
});
