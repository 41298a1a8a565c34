import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { readMarkdown, type MarkdownLine } from './read-markdown.ts';

export type DocsProblem = { file: string; line: number; problem: string };

const MAX_COLUMNS = 120;
/** One entry is one line there, however long. */
const UNWRAPPED = ['CHANGELOG.md'];
/** These say for whom they are, and what for, in their first paragraph. A decision has its own form. */
const PAGES = /^(CONTRIBUTING|SECURITY|docs\/.+)\.md$/;
const DECISIONS = /^docs\/adr\/\d/;

const LINK = /!?\[[^\]]*\]\(([^)\s]+)(?:\s+"[^"]*")?\)/g;
const CODE = /`([^`]+)`/g;
const FILE_NAME = /^[\w./-]*\w\.(tsx?|md)$/;
const DOCS_PATH = /(?<![\w./-])docs\/[\w./-]*\w/g;
const DECISION_NUMBER = /\b(?:ADR |adr\/)(\d{1,4})\b/g;

/**
 * Holds what pages and sources say of other files against the files there are, and pages against the house's form.
 * `files` are all files of the tree at `root`, relative to it.
 */
export async function findDocsProblems(root: string, files: readonly string[]): Promise<DocsProblem[]> {
  const tree = new Tree(root, files);
  const problems: DocsProblem[] = [];
  for (const file of files) {
    if (!/\.(md|ts|tsx)$/.test(file)) continue;
    const text = await readFile(path.join(root, file), 'utf8');
    if (file.endsWith('.md')) problems.push(...(await pageProblems(tree, file, text)));
    else problems.push(...sourceProblems(tree, file, text));
  }
  return problems;
}

class Tree {
  readonly #root: string;
  readonly #files: ReadonlySet<string>;
  readonly #ends = new Set<string>();
  readonly #folders = new Set<string>();

  constructor(root: string, files: readonly string[]) {
    this.#root = root;
    this.#files = new Set(files);
    for (const file of files) {
      const parts = file.split('/');
      for (let from = 0; from < parts.length; from++) this.#ends.add(parts.slice(from).join('/'));
      for (let to = 1; to < parts.length; to++) this.#folders.add(parts.slice(0, to).join('/'));
    }
  }

  has(name: string): boolean {
    const plain = name.replace(/\/$/, '');
    return plain === '.' || this.#files.has(plain) || this.#folders.has(plain);
  }

  /** Whether any file's path ends in this, so that a page can name a file without all of its folders. */
  hasEnding(end: string): boolean {
    return this.#ends.has(end);
  }

  hasDecision(number: string): boolean {
    const start = `docs/adr/${number.padStart(4, '0')}-`;
    return [...this.#files].some((file) => file.startsWith(start));
  }

  async anchorsOf(file: string): Promise<ReadonlySet<string>> {
    return readMarkdown(await readFile(path.join(this.#root, file), 'utf8')).anchors;
  }
}

async function pageProblems(tree: Tree, file: string, text: string): Promise<DocsProblem[]> {
  const { lines, anchors, opening } = readMarkdown(text);
  const problems: DocsProblem[] = [];
  if (PAGES.test(file) && !DECISIONS.test(file) && !opening.startsWith('For '))
    problems.push({ file, line: 1, problem: 'the page must begin with "For …": who reads it, and what for' });
  for (const line of lines) {
    const report = (problem: string): void => void problems.push({ file, line: line.number, problem });
    if (line.isCode) continue;
    for (const [, target = ''] of line.text.matchAll(LINK)) {
      const problem = await linkProblem(tree, { file, anchors }, target);
      if (problem !== undefined) report(problem);
    }
    for (const [, name = ''] of line.text.matchAll(CODE)) {
      const end = path.posix.normalize(name).replace(/^(\.\.\/)+/, '');
      if (FILE_NAME.test(name) && !tree.hasEnding(end)) report(`there is no file ${name}`);
    }
    for (const number of missingDecisions(tree, line.text)) report(`there is no decision ${number}`);
    if (isTooLong(file, line)) report(`the line is longer than ${MAX_COLUMNS} columns`);
  }
  return problems;
}

async function linkProblem(
  tree: Tree,
  page: { file: string; anchors: ReadonlySet<string> },
  target: string,
): Promise<string | undefined> {
  if (/^[a-z]+:/i.test(target)) return undefined;
  const [name = '', anchor] = decodeURIComponent(target).split('#', 2);
  const linked = name === '' ? page.file : path.posix.join(path.posix.dirname(page.file), name);
  if (!tree.has(linked)) return `the link to ${target} leads nowhere`;
  if (anchor === undefined || !linked.endsWith('.md')) return undefined;
  const anchors = name === '' ? page.anchors : await tree.anchorsOf(linked);
  return anchors.has(anchor) ? undefined : `the link to ${target} names no heading of that page`;
}

function isTooLong(file: string, { text, isTable }: MarkdownLine): boolean {
  return !isTable && !UNWRAPPED.includes(file) && [...text].length > MAX_COLUMNS;
}

/** Comments and messages name pages; a page that was renamed would leave them behind. */
function sourceProblems(tree: Tree, file: string, text: string): DocsProblem[] {
  // The tests of this check name pages that there are not.
  if (file.startsWith('tools/') && file.endsWith('.test.ts')) return [];
  return text.split('\n').flatMap((line, index) => {
    const pages = [...line.matchAll(DOCS_PATH)].map(([name]) => name).filter((name) => !isKnownPage(tree, name));
    const problems = [
      ...pages.map((name) => `there is no page ${name}`),
      ...missingDecisions(tree, line).map((number) => `there is no decision ${number}`),
    ];
    return problems.map((problem) => ({ file, line: index + 1, problem }));
  });
}

function isKnownPage(tree: Tree, name: string): boolean {
  const decision = /^docs\/adr\/(\d{4})$/.exec(name)?.[1];
  return decision === undefined ? tree.has(name) : tree.hasDecision(decision);
}

function missingDecisions(tree: Tree, line: string): string[] {
  return [...line.matchAll(DECISION_NUMBER)].flatMap(([, number = '']) => (tree.hasDecision(number) ? [] : [number]));
}
