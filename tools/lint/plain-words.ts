import type { RuleTester } from 'oxlint/plugins-dev';

type Rule = Parameters<RuleTester['run']>[1];
/** The parts of ESTree nodes that this rule reads. */
type Comment = { value: string; range: [number, number] };
type Named = { name: string; range: [number, number] };

/** The glossary has the standard word in place of each. */
const standardWords = new Map(
  Object.entries({
    stranger: 'anonymous client',
    strangers: 'anonymous clients',
    neighbour: 'other tenant',
    neighbours: 'other tenants',
    whoever: 'a client that, a user who',
    told: 'notified, sent, reported',
    untold: 'pending',
    tell: 'notify, send, report, publish',
    tells: 'notifies, sends, reports',
    news: 'event',
    forsaken: 'stale',
    council: 'coordinator',
  }),
);
const wordInText = new RegExp(String.raw`\b(?:${[...standardWords.keys()].join('|')})\b`, 'i');
const wordInName = /[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g;

/** Private words that readers had to guess stay out of names and comments: the field has a word for each. */
export const plainWords: Rule = {
  meta: { type: 'suggestion', messages: { word: 'Write {{standard}} in place of "{{word}}".' } },
  create(context) {
    const report = (word: string, range: [number, number]): void => {
      const standard = standardWords.get(word.toLowerCase()) ?? '';
      context.report({ messageId: 'word', data: { word, standard }, node: { range } });
    };
    return {
      Program() {
        for (const { value, range } of context.sourceCode.getAllComments() as unknown as Comment[]) {
          const found = wordInText.exec(value);
          if (found) report(found[0], range);
        }
      },
      Identifier(node) {
        const { name, range } = node as unknown as Named; // the linter's node types are wider than what is read here
        const found = name.match(wordInName)?.find((word) => standardWords.has(word.toLowerCase()));
        if (found !== undefined) report(found, range);
      },
    };
  },
};
