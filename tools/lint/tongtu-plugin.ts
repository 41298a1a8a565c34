import { kyselyExecute } from './kysely-execute.ts';

/** The rules of this house that no linter ships; loaded by `.oxlintrc.json`. */
const plugin = {
  meta: { name: 'tongtu' },
  rules: { 'kysely-execute': kyselyExecute },
};

export default plugin;
