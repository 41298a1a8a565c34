import type { RuleTester } from 'oxlint/plugins-dev';

type Rule = Parameters<RuleTester['run']>[1];
/** The part of an ESTree node that this rule reads. */
type Export = {
  source?: { value: unknown } | null;
  specifiers: Array<{ local: { name?: string; value?: string }; range: [number, number] }>;
};

const publicApi = /\/features\/[^/]+\/index\.ts$/;
const store = /-store\.ts$/;
const lockOrInsert = /^(lock|hold|keep|insert)[A-Z]|For(NoKey)?(Update|Share|KeyShare)$/;

/**
 * A feature that hands out its store's row locks and inserts leaves its rules to others: in which order rows are locked, and
 * what has to be true of a new one. Its `index.ts` exports operations with a purpose instead.
 */
export const noExportedRowLocks: Rule = {
  meta: {
    type: 'problem',
    messages: { exported: 'Export an operation with a purpose, not a lock or an insert of the store.' },
  },
  create(context) {
    return {
      ExportNamedDeclaration(node) {
        const { source, specifiers } = node as unknown as Export; // the linter's node types are wider than what is read here
        if (!publicApi.test(context.filename) || !store.test(String(source?.value))) return;
        for (const { local, range } of specifiers) {
          if (lockOrInsert.test(local.name ?? local.value ?? ''))
            context.report({ messageId: 'exported', node: { range } });
        }
      },
    };
  },
};
