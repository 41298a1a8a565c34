import { kyselyExecute } from './kysely-execute.ts';
import { sqlOrInParentheses } from './sql-or-in-parentheses.ts';

/** The rules of this house that no linter ships; loaded by `.oxlintrc.json`. */
const plugin = {
  meta: { name: 'tongtu' },
  rules: { 'kysely-execute': kyselyExecute, 'sql-or-in-parentheses': sqlOrInParentheses },
};

export default plugin;
