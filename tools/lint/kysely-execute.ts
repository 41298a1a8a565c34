import type { RuleTester } from 'oxlint/plugins-dev';

type Rule = Parameters<RuleTester['run']>[1];
/** The part of an ESTree node that this rule reads. */
type Node = {
  type: string;
  parent?: Node | null;
  object?: Node;
  property?: Node;
  callee?: Node;
  tag?: Node;
  body?: Node;
  name?: string;
  async?: boolean;
};

const builderStarts = new Set(['selectFrom', 'insertInto', 'updateTable', 'deleteFrom', 'mergeInto', 'replaceInto']);
/** Names that a query runs on; anything else (`eb`, `qb`) builds a subquery, which its outer query executes. */
const databaseName = /^#?(db|tx|trx|database|transaction)$|(Db|Tx)$/;
const functionTypes = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);
const wrapperTypes = new Set(['ParenthesizedExpression', 'TSNonNullExpression', 'TSAsExpression', 'ChainExpression']);

/**
 * A Kysely query runs only when `.execute()` is called, and its types do not say so: `await db.deleteFrom('session')`
 * compiles and deletes nothing. Reported is a query whose builder ends as a statement, is awaited or voided, is an
 * element of a list (`Promise.all`), or is the result of an async function, without having reached `execute…`.
 */
export const kyselyExecute: Rule = {
  meta: { type: 'problem', messages: { forgotten: 'This query never runs: end it with .execute().' } },
  create(context) {
    function check(start: unknown): void {
      const end = findChainEnd(start as Node); // the linter's node types are wider than what is read here
      if (end && isDropped(end)) context.report({ messageId: 'forgotten', node: start as Ranged });
    }
    return {
      CallExpression: (node) => (startsQuery(node as Node) ? check(node) : undefined),
      TaggedTemplateExpression: (node) => ((node as Node).tag?.name === 'sql' ? check(node) : undefined),
    };
  },
};

type Ranged = { range: [number, number] };

function startsQuery(call: Node): boolean {
  const callee = call.callee;
  if (callee?.type !== 'MemberExpression' || !builderStarts.has(callee.property?.name ?? '')) return false;
  return databaseName.test(receiverName(callee.object) ?? '');
}

/** `db`, `deps.db`, `this.#db` and `db.with(…)` all run on `db`. */
function receiverName(node: Node | undefined): string | undefined {
  if (node?.type === 'Identifier') return node.name;
  if (node?.type === 'MemberExpression') return node.property?.name;
  if (node?.type === 'CallExpression' && node.callee?.type === 'MemberExpression')
    return receiverName(node.callee.object);
  return undefined;
}

/** The outermost expression of the chain that starts at `start`; undefined when the chain is executed or compiled. */
function findChainEnd(start: Node): Node | undefined {
  let node = start;
  for (;;) {
    const parent = node.parent;
    if (!parent) return node;
    if (wrapperTypes.has(parent.type)) {
      node = parent;
      continue;
    }
    if (parent.type !== 'MemberExpression' || parent.object !== node) return node;
    const method = parent.property?.name ?? '';
    if (method.startsWith('execute') || method === 'compile' || method === 'stream') return undefined;
    node = parent.parent?.type === 'CallExpression' && parent.parent.callee === parent ? parent.parent : parent;
  }
}

function isDropped(end: Node): boolean {
  const parent = end.parent;
  switch (parent?.type) {
    case 'ExpressionStatement':
    case 'AwaitExpression':
    case 'ArrayExpression':
    case 'UnaryExpression':
      return true;
    case 'ReturnStatement':
      return enclosingFunction(parent)?.async === true;
    case 'ArrowFunctionExpression':
      return parent.body === end && parent.async === true;
    default:
      return false;
  }
}

function enclosingFunction(node: Node): Node | undefined {
  let current: Node | null | undefined = node;
  while (current && !functionTypes.has(current.type)) current = current.parent;
  return current ?? undefined;
}
