import { RuleTester } from 'oxlint/plugins-dev';
import { describe, test } from 'vitest';
import { plainWords } from './plain-words.ts';

RuleTester.describe = describe;
RuleTester.it = test;

new RuleTester({ languageOptions: { parserOptions: { lang: 'ts' } } }).run('plain-words', plainWords, {
  valid: [
    '/** Notifies the relays. */ const pendingEvents = 1;',
    'const intelligence = 1; const newsletter = 2;',
    'class Feed { constructor() {} }',
    "const text = 'the console tells the user';",
  ],
  invalid: [
    { code: 'const untoldAbsences = 1;', errors: [{ messageId: 'word' }] },
    { code: 'function tellRelays() {}', errors: [{ messageId: 'word' }] },
    { code: '// Whoever comes first is served.\nserve();', errors: [{ messageId: 'word' }] },
  ],
});
