import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { TelnetPacing } from './telnet-pacing.ts';

const MARK = Buffer.of(255, 253, 6);
const INPUT_BYTES = 300_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function paste() {
  const sent = { bytes: 0, marks: 0 };
  const send = (part: Buffer) => {
    if (part === MARK) sent.marks += 1;
    else sent.bytes += part.length;
  };
  const pacing = new TelnetPacing({ send, createMark: () => MARK, onSent: () => {} });
  pacing.write(Buffer.alloc(INPUT_BYTES));
  return { pacing, sent };
}

test.each([0, 1])('a target that answers %i timing marks and no more gets all input', async (answers) => {
  const { pacing, sent } = paste();
  pacing.takeAnswers(answers);
  expect(sent.bytes).toBeLessThan(INPUT_BYTES);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(sent.bytes).toBe(INPUT_BYTES);
});

test('a target that has answered several is waited for', async () => {
  const { pacing, sent } = paste();
  pacing.takeAnswers(1);
  pacing.takeAnswers(1);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(sent.bytes).toBeLessThan(60_000);
  while (sent.bytes < INPUT_BYTES) pacing.takeAnswers(1);
});
