import { RuleTester } from 'oxlint/plugins-dev';
import { describe, test } from 'vitest';
import { plainWords } from './plain-words.ts';

RuleTester.describe = describe;
RuleTester.it = test;

const errors = [{ messageId: 'word' }];

new RuleTester({ languageOptions: { parserOptions: { lang: 'ts' } } }).run('plain-words', plainWords, {
  valid: [
    '/** Notifies the relays. */ const pendingEvents = 1;',
    'const intelligence = 1; const newsletter = 2;',
    'class Feed { constructor() {} }',
    "const key = 'news'; const selector = '.arrival strong';",
    "test('a link is answered with 410 Gone', () => {});",
    '// Messages are read in their order of arrival.\nread();',
    { code: '/** Draws the picture. */ function drawPicture() {}', filename: 'captcha/draw.ts' },
  ],
  invalid: [
    { code: 'const untoldAbsences = 1;', errors },
    { code: 'function tellRelays() {}', errors },
    { code: 'const nowMs = 1;', errors },
    { code: '// Whoever comes first is served.\nserve();', errors },
    { code: '/** Draws the picture. */ draw();', errors },
    { code: "test('told', () => {});", errors },
    { code: "testOnDesktop('told why', () => {});", errors },
    { code: "test.each([1])('%s is told', () => {});", errors },
    { code: 'describe.skip(`told ${name}`, () => {});', errors },
    { code: "throw new Error('the server was not told');", errors },
    { code: 'log.warn(`cannot tell the relay ${id} of it`);', errors },
    { code: "z.string().describe('the only way in is a password');", errors },
  ],
});
