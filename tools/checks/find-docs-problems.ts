import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { findPrivateWords } from '../lint/private-words.ts';
import { readMarkdown, type MarkdownLine, type MarkdownPage } from './read-markdown.ts';

export type DocsProblem = { file: string; line: number; problem: string };

const MAX_COLUMNS = 120;
/** Entries of the change log are one line each; the specification is an external document. */
const UNWRAPPED = ['CHANGELOG.md', 'docs/specification.md'];
/** These begin with their readers and purpose. Decisions have another form. */
const PAGES = /^(CONTRIBUTING|SECURITY|docs\/.+)\.md$/;
const DECISIONS = /^docs\/adr\/\d/;
/** In Chinese, or an external document: the words of both are not ours. */
const OTHER_WORDS = ['CHANGELOG.md', 'README.zh-CN.md', 'docs/specification.md'];

const LINK = /!?\[[^\]]*\]\(([^)\s]+)(?:\s+"[^"]*")?\)/g;
const CODE = /`([^`\n]+)`/g;
/** A whole file name; `.test.ts` and `*-store.ts` name no single file. */
const FILE_NAME = /^(?:\.{1,2}\/)*\w[\w./-]*\.(?:tsx?|md)$/;
/** An import in the code of a page, such as a command to paste. */
const IMPORT = /\bimport\('\.\/([^']+)'\)/g;
const DOCS_PATH = /(?<![\w./-])docs\/[\w./-]*\w/g;
const DECISION_NUMBER = /\b(?:ADR |adr\/)(\d{1,4})\b/g;
const LOG_LINE_HEADER = /^\| Log line \|/;

/**
 * Checks that file names in pages and sources exist, that log lines in pages are in the sources, and that pages have
 * the required form and standard words. `files` are all files of the tree at `root`, relative to it.
 */
export async function findDocsProblems(root: string, files: readonly string[]): Promise<DocsProblem[]> {
  const texts = new Map<string, string>();
  for (const file of files) {
    if (/\.(md|tsx?|css)$/.test(file)) texts.set(file, await readFile(path.join(root, file), 'utf8'));
  }
  const tree = new Tree(files, texts);
  return [...texts].flatMap(([file, text]) => {
    if (file.endsWith('.md')) return pageProblems(tree, file);
    return file.endsWith('.css') ? styleProblems(file, text) : sourceProblems(tree, file, text);
  });
}

class Tree {
  readonly #files: ReadonlySet<string>;
  readonly #folders = new Set<string>(['.']);
  readonly #ends = new Set<string>();
  readonly #pages = new Map<string, MarkdownPage>();
  readonly #productSources: readonly string[];

  constructor(files: readonly string[], texts: ReadonlyMap<string, string>) {
    this.#files = new Set(files);
    for (const file of files) {
      const parts = file.split('/');
      for (let from = 0; from < parts.length; from++) this.#ends.add(parts.slice(from).join('/'));
      for (let to = 1; to < parts.length; to++) this.#folders.add(parts.slice(0, to).join('/'));
    }
    for (const [file, text] of texts) if (file.endsWith('.md')) this.#pages.set(file, readMarkdown(text));
    this.#productSources = [...texts].filter(([file]) => /^(apps|stack)\//.test(file)).map(([, text]) => text);
  }

  has(name: string): boolean {
    const plain = name.replace(/\/$/, '');
    return this.#files.has(plain) || this.#folders.has(plain);
  }

  /** Whether a file's path ends in this, so that a page can name a file without all of its folders. */
  hasEnding(end: string): boolean {
    return this.#ends.has(end);
  }

  hasDecision(number: string): boolean {
    const start = `docs/adr/${number.padStart(4, '0')}-`;
    return [...this.#files].some((file) => file.startsWith(start));
  }

  page(file: string): MarkdownPage {
    return this.#pages.get(file) ?? readMarkdown('');
  }

  logs(line: string): boolean {
    return this.#productSources.some((text) => text.includes(line));
  }
}

function pageProblems(tree: Tree, file: string): DocsProblem[] {
  const { lines, prose, opening } = tree.page(file);
  const problems: DocsProblem[] = [];
  const report = (line: number, problem: string): void => void problems.push({ file, line, problem });
  if (PAGES.test(file) && !DECISIONS.test(file) && !opening.startsWith('For '))
    report(1, 'the page must begin with "For …": who reads it, and what for');
  // A link may continue in the next line, so the whole text is searched.
  for (const { 1: target = '', index } of prose.matchAll(LINK)) {
    const problem = linkProblem(tree, file, target);
    if (problem !== undefined) report(lineAt(prose, index), problem);
  }
  for (const { 1: name = '', index } of prose.matchAll(CODE)) {
    const end = path.posix.normalize(name).replace(/^(\.\.\/)+/, '');
    if (FILE_NAME.test(name) && !tree.hasEnding(end)) report(lineAt(prose, index), `there is no file ${name}`);
  }
  for (const { number, text, kind } of lines)
    for (const { 1: name = '' } of kind === 'code' ? text.matchAll(IMPORT) : [])
      if (!tree.has(name)) report(number, `there is no file ${name}`);
  for (const { 1: number = '', index } of prose.matchAll(DECISION_NUMBER))
    if (!tree.hasDecision(number)) report(lineAt(prose, index), `there is no decision ${number}`);
  for (const line of lines)
    if (isTooLong(file, line)) report(line.number, `the line is longer than ${MAX_COLUMNS} columns`);
  const words = OTHER_WORDS.includes(file) ? [] : findPrivateWords(prose.replace(CODE, withoutLetters), file);
  for (const { word, standard, index } of words)
    report(lineAt(prose, index), `write ${standard} in place of "${word}"`);
  for (const { number, logLine } of logLines(lines))
    if (!tree.logs(logLine)) report(number, `nothing logs "${logLine}"`);
  return problems;
}

/** Names in code are not words of a page or comment. The text keeps its length, so that places in it stay the same. */
function withoutLetters(code: string): string {
  return code.replaceAll(/\w/g, '-');
}

function linkProblem(tree: Tree, file: string, target: string): string | undefined {
  if (/^[a-z]+:/i.test(target)) return undefined;
  const [name = '', anchor] = decodeURIComponent(target).split('#', 2);
  const linked = name === '' ? file : path.posix.join(path.posix.dirname(file), name);
  if (!tree.has(linked)) return `the link to ${target} leads nowhere`;
  if (anchor === undefined || !linked.endsWith('.md') || tree.page(linked).anchors.has(anchor)) return undefined;
  return `the link to ${target} names no heading of that page`;
}

function isTooLong(file: string, { text, kind }: MarkdownLine): boolean {
  return kind === 'prose' && !UNWRAPPED.includes(file) && [...text].length > MAX_COLUMNS;
}

/** The log lines in the tables of a page; `…` stands for variable parts. */
function logLines(lines: readonly MarkdownLine[]): { number: number; logLine: string }[] {
  let isLogTable = false;
  return lines.flatMap(({ number, text, kind }) => {
    isLogTable = LOG_LINE_HEADER.test(text) || (isLogTable && kind === 'table');
    const firstCell = isLogTable ? (text.split('|')[1] ?? '') : '';
    return [...firstCell.matchAll(CODE)].map(([, name = '']) => ({ number, logLine: name.replace(/:? …$/, '') }));
  });
}

/** Comments and messages name pages, which may have been renamed. */
function sourceProblems(tree: Tree, file: string, text: string): DocsProblem[] {
  // The tests of this check name missing pages.
  if (file.startsWith('tools/') && file.endsWith('.test.ts')) return [];
  return text.split('\n').flatMap((line, index) => {
    const pages = [...line.matchAll(DOCS_PATH)].map(([name]) => name).filter((name) => !isPage(tree, name));
    const numbers = [...line.matchAll(DECISION_NUMBER)].map(([, number = '']) => number);
    const problems = [
      ...pages.map((name) => `there is no page ${name}`),
      ...numbers.filter((number) => !tree.hasDecision(number)).map((number) => `there is no decision ${number}`),
    ];
    return problems.map((problem) => ({ file, line: index + 1, problem }));
  });
}

/** The linter reads the comments of all other sources. */
function styleProblems(file: string, text: string): DocsProblem[] {
  return findPrivateWords(text.replaceAll(/(?<=^|\*\/)[^]*?(?=\/\*|$)/g, withoutLetters), file).map(
    ({ word, standard, index }) => ({
      file,
      line: lineAt(text, index),
      problem: `write ${standard} in place of "${word}"`,
    }),
  );
}

function isPage(tree: Tree, name: string): boolean {
  const decision = /^docs\/adr\/(\d{4})$/.exec(name)?.[1];
  return decision === undefined ? tree.has(name) : tree.hasDecision(decision);
}

function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length;
}
