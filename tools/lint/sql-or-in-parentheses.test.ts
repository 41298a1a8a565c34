import { RuleTester } from 'oxlint/plugins-dev';
import { describe, test } from 'vitest';
import { sqlOrInParentheses } from './sql-or-in-parentheses.ts';

RuleTester.describe = describe;
RuleTester.it = test;

const bare = { errors: [{ messageId: 'bare' }] };

new RuleTester({ languageOptions: { parserOptions: { lang: 'ts' } } }).run(
  'sql-or-in-parentheses',
  sqlOrInParentheses,
  {
    valid: [
      'q.where(sql<boolean>`(retired_at is null or retired_at > now())`);',
      'q.where(sql<boolean>`expires_at > now()`);',
      'q.where(sql<boolean>`coalesce(a or b, true) and (c or ${d})`);',
      'q.orderBy(sql`a or b`);',
      'q.where(sql<boolean>`color = ${x}`);',
      'q.select(sql<number>`case when a or b then 1 else 2 end`);',
    ],
    invalid: [
      { code: 'q.where(sql<boolean>`retired_at is null or retired_at > now()`);', ...bare },
      { code: 'const isTime = sql<boolean>`(a) OR (b)`;', ...bare },
      { code: 'q.where(sql<boolean>`phone = ${phone}\n or (email = ${name})`);', ...bare },
    ],
  },
);
