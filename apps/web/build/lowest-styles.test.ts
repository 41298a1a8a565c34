import { expect, test } from 'vitest';
import { lowestStyles } from './lowest-styles.ts';

const compact = (css: string) =>
  css
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ?([{};]) ?/g, '$1')
    .trim();

test('selectors lose their specificity, and rules are sorted by the one that they had', () => {
  const css = '.a.b{x:1} .a{x:2} a{x:3} .c:not(.d){x:4} .e{x:5}';
  expect(compact(lowestStyles(css))).toBe(
    ':where(a){x:3}:where(.a){x:2}:where(.e){x:5}:where(.a.b){x:1}:where(.c:not(.d)){x:4}',
  );
});

test('the selectors of a rule are sorted apart, and those of one specificity stay together', () => {
  expect(compact(lowestStyles('.a .b, .c, .d .e{x:1} .f{x:2}'))).toBe(
    ':where(.c){x:1}:where(.f){x:2}:where(.a .b), :where(.d .e){x:1}',
  );
});

test('a comma within a selector does not divide it', () => {
  expect(compact(lowestStyles(".a:is(.b, .c), [title='x, y']{x:1}"))).toBe(
    ":where([title='x, y']){x:1}:where(.a:is(.b, .c)){x:1}",
  );
});

test('pseudo-elements stay outside, with what comes after them', () => {
  expect(compact(lowestStyles('.a:hover::before{x:1} .b::-webkit-scrollbar-thumb:hover{x:2} ::selection{x:3}'))).toBe(
    ':where(*)::selection{x:3}:where(.a:hover)::before{x:1}:where(.b)::-webkit-scrollbar-thumb:hover{x:2}',
  );
});

test('rules keep the conditions that they are under', () => {
  const css =
    '@media (hover:hover){.a .b{x:1} .c{x:2} @supports (y:z){.d{x:3}}} .e{x:4} @keyframes turn{from{x:5} to{x:6}}';
  expect(compact(lowestStyles(css))).toBe(
    '@keyframes turn{from{x:5}to{x:6}}@media (hover:hover){:where(.c){x:2}}' +
      '@media (hover:hover){@supports (y:z){:where(.d){x:3}}}:where(.e){x:4}@media (hover:hover){:where(.a .b){x:1}}',
  );
});

test.each([
  '@layer a{.b{x:1}}',
  '.a{x:1; .b{x:2}}',
  '.a{x:1; @media (hover:hover){x:2}}',
  '@media print{@keyframes turn{from{x:1}}}',
])('%s cannot be sorted, and fails the build', (css) => {
  expect(() => lowestStyles(css)).toThrow('cannot be sorted');
});
