import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');

/** The words of the second column of "Words on the screen" in the glossary. */
function refusedWords(): string[] {
  const glossary = readFileSync(join(root, 'docs/glossary.md'), 'utf8');
  const section = /\n## Words on the screen\n(.*?)\n## /s.exec(glossary)?.[1] ?? '';
  const rows = section.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| 界面'));
  return rows
    .flatMap(
      (row) =>
        row
          .split('|')[2]
          ?.split(',')
          .map((word) => word.trim()) ?? [],
    )
    .filter(isChinese);
}

function isChinese(word: string): boolean {
  return /^[\p{Script=Han}]+$/u.test(word);
}

/** The Chinese texts of a source, by line; comments are for developers. */
function textsOf(source: string): string[] {
  const withoutComments = source.replaceAll(/\/\*.*?\*\//gs, '').replaceAll(/^\s*\/\/.*$/gm, '');
  return withoutComments.split('\n').filter((line) => /\p{Script=Han}/u.test(line));
}

function sourcesOf(...patterns: string[]): { file: string; texts: string[] }[] {
  const files = globSync(patterns, { cwd: root }).filter((file) => !/\.test\.tsx?$|\/testing\//.test(file));
  return files.map((file) => ({ file, texts: textsOf(readFileSync(join(root, file), 'utf8')) }));
}

function findAll(sources: ReturnType<typeof sourcesOf>, isWrong: (text: string) => boolean): string[] {
  return sources.flatMap(({ file, texts }) => texts.filter(isWrong).map((text) => `${file}: ${text.trim()}`));
}

const everywhere = sourcesOf('apps/*/src/**/*.{ts,tsx}', 'packages/contract/src/**/*.ts');
/** What quotes the console: a test that looks for a former name fails only when somebody runs it. */
const quotes = [
  ...sourcesOf('e2e/**/*.ts'),
  { file: 'CHANGELOG.md', texts: readFileSync(join(root, 'CHANGELOG.md'), 'utf8').split('\n') },
];
const consoleTexts = sourcesOf('apps/web/src/text/*.ts', 'packages/contract/src/**/*.ts');

test('no text uses a word that the glossary refuses', () => {
  const words = refusedWords();
  expect(words).toContain('标记客户端');
  expect(everywhere.length).toBeGreaterThan(100);
  expect(findAll(everywhere, (text) => words.some((word) => text.includes(word)))).toEqual([]);
});

test('the end-to-end tests and the change log quote no such word either', () => {
  expect(quotes.length).toBeGreaterThan(50);
  expect(findAll(quotes, (text) => refusedWords().some((word) => text.includes(word)))).toEqual([]);
});

test('a token is always called by what it is for', () => {
  expect(findAll(consoleTexts, (text) => /(?<!账号|账号的|API |frpc )令牌/.test(text))).toEqual([]);
});

test('客户端 is the program on a device, so no text lets one in or asks a visitor for theirs', () => {
  expect(findAll(consoleTexts, (text) => /(放行|标记|验证的|第一个[^，。]*)客户端/.test(text))).toEqual([]);
});
