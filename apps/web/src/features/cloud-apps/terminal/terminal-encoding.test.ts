import { encodeText } from '@tongtu/contract/text-encodings';
import { expect, test } from 'vitest';
import { TerminalEncoding } from './terminal-encoding.ts';

test.each([
  ['gbk', 'gb18030', '终端 €🙂\r\n'],
  ['big5', 'big5', '終端機'],
] as const)('%s is read in any pieces, and written as it was read', (name, encoding, text) => {
  const bytes = encodeText(text, encoding) ?? new Uint8Array();
  const terminal = new TerminalEncoding(name);
  expect([...bytes].map((byte) => terminal.decode(Uint8Array.of(byte))).join('')).toBe(text);
  expect([...terminal.encode(text)]).toEqual([...bytes]);
});

test('UTF-8 is passed on as bytes, and another encoding counts from when it is chosen', () => {
  const terminal = new TerminalEncoding('utf-8');
  const bytes = Uint8Array.of(0xd6, 0xd0);
  expect(terminal.decode(bytes)).toBe(bytes);
  terminal.change('gbk');
  expect(terminal.decode(bytes)).toBe('中');
  expect([...terminal.encode('中')]).toEqual([0xd6, 0xd0]);
});

test('what an encoding lacks is typed as a question mark', () => {
  expect([...new TerminalEncoding('big5').encode('们a')]).toEqual([0x3f, 0x61]);
});
