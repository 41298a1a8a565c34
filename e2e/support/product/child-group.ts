import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';

export type ChildExit = { code: number | null; signal: NodeJS.Signals | null };

const STOP_WITHIN_MS = 20_000;
const MAX_OUTPUT_CHARS = 1 << 20;

/** Running groups, which are killed when the test process ends. */
const running = new Set<ChildGroup>();
process.once('exit', () => {
  for (const group of running) group.signal('SIGKILL');
});

/** A child process and its descendants as a process group. Its output is recorded. */
export class ChildGroup implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly exited: Promise<ChildExit>;
  #output = '';
  #exit: ChildExit | undefined;

  constructor(command: string, args: readonly string[], options: { cwd: string; env: NodeJS.ProcessEnv }) {
    this.#child = spawn(command, args, { ...options, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    running.add(this);
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.#output = (this.#output + text).slice(-MAX_OUTPUT_CHARS);
      });
    }
    // `close`, not `exit`: all output has been read by then.
    this.exited = once(this.#child, 'close').then(([code, signal]: (number | string | null)[]) => {
      this.#exit = { code: code as number | null, signal: signal as NodeJS.Signals | null };
      running.delete(this);
      return this.#exit;
    });
  }

  get output(): string {
    return this.#output;
  }

  get exit(): ChildExit | undefined {
    return this.#exit;
  }

  get pid(): number {
    if (this.#child.pid === undefined) throw new Error('the process did not start');
    return this.#child.pid;
  }

  /** Sends a signal to the whole group, if it still exists. */
  signal(signal: NodeJS.Signals): void {
    try {
      process.kill(-this.pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }

  /** Sends a signal to the first process alone, as an init system or a supervisor does. */
  signalLeader(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  async kill(): Promise<void> {
    this.signal('SIGKILL');
    await this.exited;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#exit) return;
    this.signal('SIGTERM');
    const timer = setTimeout(() => this.signal('SIGKILL'), STOP_WITHIN_MS);
    await this.exited;
    clearTimeout(timer);
  }
}
