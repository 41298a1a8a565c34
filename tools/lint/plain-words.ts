import type { RuleTester } from 'oxlint/plugins-dev';
import { findPrivateWordInName, findPrivateWords, type FoundWord } from './private-words.ts';

type Rule = Parameters<RuleTester['run']>[1];
type Range = [number, number];
/** The parts of ESTree nodes that this rule reads. */
type Comment = { value: string; range: Range };
type Named = { name: string; range: Range };
type Literal = { value: unknown; range: Range; parent: Parent };
type TemplatePart = { value: { cooked?: string | null }; range: Range; parent: { parent: Parent; range: Range } };
type Parent = { type: string; callee?: Callee; arguments?: { range: Range }[] };
type Callee = { name?: string; object?: Callee; callee?: Callee; tag?: Callee };

const TEST_FUNCTIONS = new Set(['test', 'it', 'describe', 'testOnDesktop']);
/** Three words in a row: shorter texts are keys, selectors or codes. */
const SENTENCE = /[A-Za-z][\w’',:;-]* +[\w’',:;-]+ +[\w’'-]/;

/**
 * Keeps private words, which readers had to guess, out of names, comments, titles of tests, and sentences such as
 * messages and descriptions.
 */
export const plainWords: Rule = {
  meta: { type: 'suggestion', messages: { word: 'Write {{standard}} in place of "{{word}}".' } },
  create(context) {
    const { filename } = context;
    const report = (found: FoundWord | undefined, range: Range): void => {
      if (found === undefined) return;
      const { word, standard } = found;
      context.report({ messageId: 'word', data: { word, standard }, node: { range } });
    };
    const checkText = (text: string, range: Range, isTitle: boolean): void => {
      if (isTitle || SENTENCE.test(text)) report(findPrivateWords(text, filename)[0], range);
    };
    // The linter's node types are wider than what is read here.
    return {
      Program() {
        for (const { value, range } of context.sourceCode.getAllComments() as unknown as Comment[])
          report(findPrivateWords(value, filename)[0], range);
      },
      Identifier(node) {
        const { name, range } = node as unknown as Named;
        report(findPrivateWordInName(name, filename), range);
      },
      Literal(node) {
        const { value, range, parent } = node as unknown as Literal;
        if (typeof value === 'string') checkText(value, range, isTitle(parent, range));
      },
      TemplateElement(node) {
        const { value, range, parent } = node as unknown as TemplatePart;
        checkText(value.cooked ?? '', range, isTitle(parent.parent, parent.range));
      },
    };
  },
};

/** Whether the node at `range` is the first argument of `test`, `test.each(…)`, `describe` and the like. */
function isTitle({ type, callee, arguments: given }: Parent, [start]: Range): boolean {
  if (type !== 'CallExpression' || given?.[0]?.range[0] !== start) return false;
  let called = callee;
  while (called !== undefined && called.name === undefined) called = called.object ?? called.callee ?? called.tag;
  return called?.name !== undefined && TEST_FUNCTIONS.has(called.name);
}
