import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';

export type RunningProgram = AsyncDisposable & {
  child: ChildProcessByStdio<null, Readable, Readable>;
  exitCode: Promise<number | null>;
  stdout(): string;
  stderr(): string;
  /** Resolves once stdout contains the text; rejects when the program ends without it. */
  untilSaid(text: string): Promise<void>;
};

/** Runs a Node program in its own process with its own environment. */
export function runProgram(file: string, args: string[], env: NodeJS.ProcessEnv = {}): RunningProgram {
  const { PATH, HOME, NODE_COMPILE_CACHE } = process.env;
  const child = spawn(process.execPath, [file, ...args], {
    env: { PATH, HOME, NODE_COMPILE_CACHE, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  let onOutput = () => {};
  child.stdout.on('data', (chunk) => {
    stdout += String(chunk);
    onOutput();
  });
  child.stderr.on('data', (chunk) => (stderr += String(chunk)));
  const exitCode = new Promise<number | null>((resolve) => child.once('close', resolve));
  return {
    child,
    exitCode,
    stdout: () => stdout,
    stderr: () => stderr,
    untilSaid: (text) =>
      new Promise((resolve, reject) => {
        onOutput = () => {
          if (stdout.includes(text)) resolve();
        };
        onOutput();
        void exitCode.then((code) => reject(new Error(`ended with ${code} before saying ${text}\n${stdout}${stderr}`)));
      }),
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await exitCode;
    },
  };
}
