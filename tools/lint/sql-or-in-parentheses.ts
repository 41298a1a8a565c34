import type { RuleTester } from 'oxlint/plugins-dev';

type Rule = Parameters<RuleTester['run']>[1];
/** The part of an ESTree node that this rule reads. */
type Template = {
  tag?: { type: string; name?: string };
  typeArguments?: { params: Array<{ type: string }> } | null;
  quasi: { quasis: Array<{ value: { raw: string } }> };
};
type Ranged = { range: [number, number] };

/**
 * Kysely joins conditions by `and` and puts no parentheses round raw ones: `.where('id', '=', id).where(sql<boolean>`a or
 * b`)` matches every row with `b`, also of other tenants. Reported is a raw condition with an `or` outside parentheses.
 */
export const sqlOrInParentheses: Rule = {
  meta: {
    type: 'problem',
    messages: { bare: 'Put this condition in parentheses: an `or` takes what comes before it.' },
  },
  create(context) {
    return {
      TaggedTemplateExpression(node) {
        const template = node as unknown as Template; // the linter's node types are wider than what is read here
        if (isCondition(template) && hasBareOr(textOf(template))) {
          context.report({ messageId: 'bare', node: node as Ranged });
        }
      },
    };
  },
};

function isCondition({ tag, typeArguments }: Template): boolean {
  return tag?.name === 'sql' && typeArguments?.params[0]?.type === 'TSBooleanKeyword';
}

function textOf({ quasi }: Template): string {
  return quasi.quasis.map(({ value }) => value.raw).join('$');
}

/** Strings are parsed like everything else; one with a single bracket or an `or` can be passed as a parameter. */
function hasBareOr(sql: string): boolean {
  let depth = 0;
  for (const [word] of sql.matchAll(/[()]|\bor\b/gi)) {
    if (word === '(') depth++;
    else if (word === ')') depth--;
    else if (depth === 0) return true;
  }
  return false;
}
