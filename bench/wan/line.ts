import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import type { Namespaces } from './namespaces.ts';

/** See line.c; without a suffix for both directions. */
export type LineSettings = Partial<Record<'delay' | 'loss' | 'rate' | 'queue' | 'cut' | 'address', number>>;
export type WanLine = AsyncDisposable & { set: (settings: LineSettings) => Promise<void> };

/** Compiles line.c into the folder, and returns the program. */
export async function compileLine(folder: string): Promise<string> {
  const program = path.join(folder, 'line');
  const source = path.join(import.meta.dirname, 'line.c');
  await promisify(execFile)('gcc', ['-O2', '-pthread', '-o', program, source]);
  return program;
}

/** Joins the namespaces. Ahead of other programs, because a line that waits for the processor is a slower line. */
export async function startLine(program: string, namespaces: Omit<Namespaces, symbol>): Promise<WanLine> {
  const child = spawn('nice', ['-n', '-5', program, namespaces.server, namespaces.home], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const waitForAnswer = async () => {
    if ((await answers.next()).done) throw new Error('the emulated line has ended');
  };
  await waitForAnswer();
  return {
    async set(settings) {
      child.stdin.write(
        `${Object.entries(settings)
          .map(([name, value]) => `${name}=${value}`)
          .join(' ')}\n`,
      );
      await waitForAnswer();
    },
    async [Symbol.asyncDispose]() {
      child.stdin.end();
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
}
