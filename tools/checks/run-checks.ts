import { spawn } from 'node:child_process';

export type Check = { name: string; command: string; args: readonly string[]; env?: Record<string, string> };
export type CheckResult = { check: Check; ok: boolean; output: string; seconds: number };

/** Runs every check, `concurrency` at a time, also after a failure. Returns the results in the given order. */
export async function runChecks(
  checks: readonly Check[],
  options: { concurrency: number; onResult: (result: CheckResult) => void },
): Promise<CheckResult[]> {
  const results: CheckResult[] = [];
  const queue = checks.entries();
  async function work(): Promise<void> {
    for (const [index, check] of queue) {
      const result = await runCheck(check);
      results[index] = result;
      options.onResult(result);
    }
  }
  await Promise.all(Array.from({ length: options.concurrency }, work));
  return results;
}

function runCheck(check: Check): Promise<CheckResult> {
  const startedAtMs = performance.now();
  return new Promise((resolve) => {
    const child = spawn(check.command, check.args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...check.env },
    });
    const chunks: Buffer[] = [];
    const finish = (ok: boolean, note = ''): void => {
      const output = Buffer.concat(chunks).toString() + note;
      resolve({ check, ok, output, seconds: (performance.now() - startedAtMs) / 1000 });
    };
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.once('error', (error) => finish(false, `${error.message}\n`));
    child.once('close', (code, signal) => finish(code === 0, signal ? `ended by ${signal}\n` : ''));
  });
}
