import fc from 'fast-check';
import { expect, test } from 'vitest';
import { csvLine, csvText } from './csv.ts';

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '\n=1', '＝1', '＋1'])('%j is no formula', (text) => {
  expect(csvLine([text]).replace('"', '')).toBe(`'${text}${/[\r\n]/.test(text) ? '"' : ''}\r\n`);
});

test('text that looks like a number stays text', () => {
  expect(['00123', '12E45', '1e345', '12X45', 'E1234'].map(csvText)).toEqual([
    ...["'00123", "'12E45", "'1e345", '12X45', 'E1234'],
  ]);
});

test('every cell is read back as it was, or with an apostrophe', () => {
  const cell = fc.string({ unit: fc.constantFrom('a', '中', '"', ',', '\r', '\n', '=', '-', "'") });
  fc.assert(
    fc.property(fc.array(cell, { minLength: 2, maxLength: 4 }), (cells) => {
      const read = parseLine(csvLine(cells));
      expect(read.map((text, n) => (text === cells[n] ? text : text.replace(/^'/, '')))).toEqual(cells);
    }),
  );
});

/** A line of RFC 4180, with its line end. */
function parseLine(line: string): string[] {
  const cells = `,${line.slice(0, -2)}`.matchAll(/,(?:"((?:[^"]|"")*)"|([^,"]*))/g);
  return Array.from(cells, ([, quoted, plain = '']) => quoted?.replaceAll('""', '"') ?? plain);
}
