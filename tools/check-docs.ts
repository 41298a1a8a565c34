/** Checks the pages (*.md), and what sources say of them: links, file names, log lines, words, width; exits 1 on a problem. */
import { glob } from 'node:fs/promises';
import path from 'node:path';
import { findDocsProblems } from './checks/find-docs-problems.ts';

const SKIPPED = ['node_modules', 'dist', 'output', 'coverage', 'data', '.git'];

async function listFiles(): Promise<string[]> {
  const files: string[] = [];
  const exclude = ({ name }: { name: string }): boolean => SKIPPED.includes(name);
  for await (const entry of glob('**/*', { exclude, withFileTypes: true })) {
    if (entry.isFile()) files.push(path.relative(process.cwd(), path.join(entry.parentPath, entry.name)));
  }
  return files.sort();
}

const files = await listFiles();
const problems = await findDocsProblems(process.cwd(), files);
for (const { file, line, problem } of problems) console.log(`${file}:${line}: ${problem}`);
const pages = files.filter((file) => file.endsWith('.md')).length;
console.log(`${pages} pages, ${problems.length} problems`);
process.exitCode = pages === 0 || problems.length > 0 ? 1 : 0;
