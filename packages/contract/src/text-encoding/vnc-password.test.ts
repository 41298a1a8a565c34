import { expect, test } from 'vitest';
import { vncPasswordBytes } from './vnc-password.ts';

test.each([
  ['geheim12', 'utf-8', 'geheim12'],
  ['ü', 'utf-8', 'ü'],
  ['密', 'utf-8', 'å¯\u0086'],
  ['密', 'gbk', 'ÃÜ'],
  ['ABC密', 'big5', 'ABC±K'],
  ['们🙂', 'big5', 'ä»¬ð\u009f\u0099\u0082'],
] as const)('%j in %s is %j', (password, encoding, bytes) => {
  expect(vncPasswordBytes(password, encoding)).toBe(bytes);
});
