import { kyselyExecute } from './kysely-execute.ts';
import { noExportedRowLocks } from './no-exported-row-locks.ts';
import { plainWords } from './plain-words.ts';
import { sqlOrInParentheses } from './sql-or-in-parentheses.ts';

/** The rules of this house that no linter ships; loaded by `.oxlintrc.json`. */
const plugin = {
  meta: { name: 'tongtu' },
  rules: {
    'kysely-execute': kyselyExecute,
    'no-exported-row-locks': noExportedRowLocks,
    'plain-words': plainWords,
    'sql-or-in-parentheses': sqlOrInParentheses,
  },
};

export default plugin;
