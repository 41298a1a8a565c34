import { expect, test } from 'vitest';
import { logLine } from './log-line.ts';

test('a line begins with the local time', () => {
  expect(logLine('已上线', new Date(2026, 10, 2, 9, 4, 3))).toBe('2026-11-02 09:04:03 已上线\n');
});
