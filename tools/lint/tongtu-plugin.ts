import { kyselyExecute } from './kysely-execute.ts';
import { noExportedRowLocks } from './no-exported-row-locks.ts';
import { sqlOrInParentheses } from './sql-or-in-parentheses.ts';

/** The rules of this house that no linter ships; loaded by `.oxlintrc.json`. */
const plugin = {
  meta: { name: 'tongtu' },
  rules: {
    'kysely-execute': kyselyExecute,
    'no-exported-row-locks': noExportedRowLocks,
    'sql-or-in-parentheses': sqlOrInParentheses,
  },
};

export default plugin;
