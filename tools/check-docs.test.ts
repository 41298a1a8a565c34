import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findDocsProblems } from './checks/find-docs-problems.ts';

const CHECK = path.resolve(import.meta.dirname, 'check-docs.ts');

/** A small tree without a problem. */
const soundTree: Record<string, string> = {
  'README.md':
    '# Product\n\nThe table `news`. [Pages](docs/guide.md#two-words), [decisions](docs/adr/0001-first.md), [folder](docs/adr).\n',
  'CHANGELOG.md': `# Changes\n\n- ${'long '.repeat(40)}\n`,
  'docs/guide.md':
    '# Guide\n\nFor developers. `main.ts` and `src/main.ts` start it ([ADR 1](adr/0001-first.md),\n[a link over\ntwo lines](#two-words)).\n\n' +
    '## Two words\n\n```sh\n[not a link](nowhere.md) and `missing.ts`\n```\n\n' +
    '| Log line | Meaning |\n| --- | --- |\n| `it stopped: …` | it stopped |\n\n[Elsewhere](https://example.com/docs/none.md)\n',
  'docs/adr/0001-first.md': '# 1. First\n\nDecided.\n',
  'apps/agent/src/main.ts': `// See docs/guide.md and docs/adr/0001 (ADR 1).\nlog.warn('it stopped: by a signal');\n`,
};

let root: string;

beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'tongtu-docs-'));
  for (const [file, text] of Object.entries(soundTree)) await write(file, text);
});

afterEach(() => rm(root, { recursive: true, force: true }));

async function write(file: string, text: string): Promise<void> {
  await mkdir(path.join(root, path.dirname(file)), { recursive: true });
  await writeFile(path.join(root, file), text);
}

function check(): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [CHECK], { cwd: root, encoding: 'utf8' });
  return { status, output: stdout + stderr };
}

test('sound pages pass', () => {
  expect(check()).toEqual({ status: 0, output: '4 pages, 0 problems\n' });
});

test('a tree with a problem does not pass', async () => {
  await write('docs/bad.md', '# Page\n\nThis page is here.');
  const { status, output } = check();
  expect(output).toContain('docs/bad.md:1: the page must begin with "For …"');
  expect(output).toContain('5 pages, 1 problems');
  expect(status).toBe(1);
});

test('a folder without pages does not pass', async () => {
  await rm(root, { recursive: true });
  await mkdir(root);
  expect(check()).toEqual({ status: 1, output: '0 pages, 0 problems\n' });
});

const opening = '# Page\n\nFor developers.\n\n';

test.each([
  [
    'a link to a file that there is not',
    'docs/bad.md',
    `${opening}[it](missing.md)`,
    'bad.md:5: the link to missing.md leads',
  ],
  [
    'a link over two lines',
    'docs/bad.md',
    `${opening}[it\nis](missing.md)`,
    'bad.md:5: the link to missing.md leads nowhere',
  ],
  ['a link to a heading that there is not', 'README.md', '[it](docs/guide.md#none)', 'guide.md#none names no heading'],
  ['a link to an own heading that there is not', 'README.md', '[it](#none)', 'the link to #none names no heading'],
  ['an image that does not exist', 'README.md', '![it](docs/it.png)', 'the link to docs/it.png leads nowhere'],
  ['the name of a file that does not exist', 'README.md', 'See `src/missing.ts`.', 'there is no file src/missing.ts'],
  [
    'an import of a file that there is not',
    'README.md',
    '```sh\nnode -e "import(\'./src/missing.ts\')"\n```',
    'README.md:2: there is no file src/missing.ts',
  ],
  ['a decision that there is not', 'README.md', 'See ADR 7.', 'there is no decision 7'],
  ['a page without its readers', 'docs/bad.md', '# Page\n\nThis page is here.', 'must begin with "For …"'],
  [
    'a line that is too long',
    'docs/bad.md',
    `${opening}${'long '.repeat(25)}`,
    'bad.md:5: the line is longer than 120',
  ],
  ['a private word', 'README.md', 'Not\ntold.', 'README.md:2: write notified'],
  [
    'a private word in a comment of a style sheet',
    'apps/a.css',
    '/* one */\n.told {\n}\n/* Not told. */',
    'a.css:4: write notified',
  ],
  [
    'a log line that nothing logs',
    'docs/bad.md',
    `${opening}| Log line | Meaning |\n| --- | --- |\n| \`it went away\` | … |`,
    'bad.md:7: nothing logs "it went away"',
  ],
  [
    'a comment with a page that there is not',
    'apps/a.ts',
    '// See docs/missing.md.',
    'a.ts:1: there is no page docs/missing.md',
  ],
  [
    'a comment with a decision that there is not',
    'apps/a.ts',
    '// docs/adr/0007, ADR 7',
    'a.ts:1: there is no decision 7',
  ],
])('%s is reported', async (_what, file, text, problem) => {
  await write(file, text);

  const problems = await findDocsProblems(root, [...new Set([...Object.keys(soundTree), file])].sort());

  expect(problems.map((found) => `${found.file}:${found.line}: ${found.problem}`).join('\n')).toContain(problem);
});
