import { expect, test } from 'vitest';
import { memoryOf } from '../testing/test-session.ts';
import { OutputHistory } from './output-history.ts';

test('what is short is kept whole, in whatever pieces it comes', () => {
  using history = new OutputHistory(memoryOf(1_000_000));
  for (const piece of ['\x1b[?10', '49h', '中', '\n']) history.add(Buffer.from(piece));
  expect(history.read().bytes.toString()).toBe('\x1b[?1049h中\n');
  expect(history.read().mustRedraw).toBe(false);
});

test('of what is long the end is kept, from the beginning of a line, in the modes that were set before', () => {
  const memory = memoryOf(1_000_000);
  using history = new OutputHistory(memory);
  history.add(Buffer.from('\x1b[?2004h\x1b[?1049h\x1b[?1049l\x1b[?1;25'));
  history.add(Buffer.from('l'));
  for (let line = 0; line < 50_000; line++) history.add(Buffer.from(`line ${line}\r\n`));
  const { bytes, mustRedraw } = history.read();
  const text = bytes.toString();
  expect(bytes.length).toBeLessThanOrEqual(256 * 1024 + 100);
  expect(text.startsWith('\x1b[?2004h\x1b[?25lline ')).toBe(true);
  expect(text.endsWith('line 49999\r\n')).toBe(true);
  expect(mustRedraw).toBe(false);
  expect(memory.heldBytes).toBe(256 * 1024);
});

test('one piece that is longer than all leaves its end', () => {
  using history = new OutputHistory(memoryOf(1_000_000));
  history.add(Buffer.from(`\x1b[?1049h${'x'.repeat(600_000)}end`));
  const { bytes, mustRedraw } = history.read();
  expect(bytes.toString().startsWith('\x1b[?1049hx')).toBe(true);
  expect(bytes.toString().endsWith('end')).toBe(true);
  expect(mustRedraw).toBe(true);
});

test('it keeps less while the session may hold no more, and nothing after its end', () => {
  const memory = memoryOf(20_000);
  const history = new OutputHistory(memory);
  for (let count = 0; count < 100; count++) history.add(Buffer.alloc(1_000, 'a'));
  expect(history.read().bytes.length).toBe(16 * 1024);
  history[Symbol.dispose]();
  expect(memory.heldBytes).toBe(0);
  history.add(Buffer.from('late'));
  expect(history.read().bytes.length).toBe(0);
});
