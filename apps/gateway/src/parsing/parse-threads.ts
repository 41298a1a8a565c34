import { Worker } from 'node:worker_threads';
import { DownloadError } from '../errors/download-error.ts';
import { FileError } from '../errors/file-error.ts';
import { TargetError } from '../errors/target-error.ts';
import type { FromParseThread, ParseFailure, ReaderKind, ToParseThread } from './parse-messages.ts';

/**
 * A reader holds little, and what it gives is passed on at once. The limit must never be reached: where V8 lacks room for
 * a large array or object, the whole process ends, and not the thread alone.
 */
const MAX_HEAP_MB = 192;
const MAX_YOUNG_MB = 32;
/** Of a piece, which takes some milliseconds. A thread that takes longer hangs, or has no processor. */
const MAX_ANSWER_MS = 30_000;
/** Without readers a thread ends: it has about 10 MB. */
const IDLE_MS = 10_000;
/** Of each kind. The accounts that come afterwards share them. */
const MAX_THREADS = 4;
/** Longer ones would keep the other readers of the account waiting. */
const PIECE_BYTES = 64 * 1024;
/** Pieces of one account in a thread, so that accounts that share it have their turns. */
const AT_A_TIME_PER_ACCOUNT = 2;

/** A reader in a thread. Its calls fail with FileError, DownloadError or TargetError. */
export type RemoteReader<Part, End> = Disposable & {
  write(bytes: Buffer): Promise<Part[]>;
  end(): Promise<End>;
};

/**
 * The threads in which the lists and answers of targets are read. Each account has its own, as long as there are not too
 * many: a target that makes one hang, or end, harms its own account.
 */
export class ParseThreads implements Disposable {
  readonly #threads: Record<ReaderKind, Set<ParseThread>> = { multistatus: new Set(), 'aria2-answer': new Set() };
  readonly #accounts = new Map<number, AccountQueue>();
  readonly #limits: ThreadLimits;

  constructor({ maxAnswerMs = MAX_ANSWER_MS, maxHeapMb = MAX_HEAP_MB } = {}) {
    this.#limits = { maxAnswerMs, maxHeapMb };
  }

  /** For the target of a session that this account has opened. */
  open<Part, End>(kind: ReaderKind, account: number, options: unknown = {}): RemoteReader<Part, End> {
    const thread = this.#threadFor(kind, account);
    const queue = this.#queueOf(account);
    const id = thread.open(account, options);
    return {
      async write(bytes) {
        const parts: Part[] = [];
        for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
          // A copy: with a part of a larger buffer, all of that would be sent.
          const piece = new Uint8Array(bytes.subarray(at, at + PIECE_BYTES));
          parts.push((await queue.run(() => thread.ask({ type: 'write', id, bytes: piece }))) as Part); // of its kind
        }
        return parts;
      },
      end: async () => (await queue.run(() => thread.ask({ type: 'end', id }))) as End, // as above
      [Symbol.dispose]: () => thread.close(id),
    };
  }

  [Symbol.dispose](): void {
    for (const threads of Object.values(this.#threads)) for (const thread of threads) thread[Symbol.dispose]();
  }

  /** The account's own; else a new one, or the one with the fewest readers. */
  #threadFor(kind: ReaderKind, account: number): ParseThread {
    const threads = [...this.#threads[kind]];
    const own = threads.find((thread) => thread.isReadingFor(account));
    if (own !== undefined) return own;
    const [quietest] = threads.sort((one, other) => one.readers - other.readers);
    if (quietest !== undefined && (quietest.readers === 0 || threads.length >= MAX_THREADS)) return quietest;
    const thread: ParseThread = new ParseThread(kind, this.#limits, () => this.#threads[kind].delete(thread));
    this.#threads[kind].add(thread);
    return thread;
  }

  #queueOf(account: number): AccountQueue {
    const queue = this.#accounts.get(account) ?? new AccountQueue(() => this.#accounts.delete(account));
    this.#accounts.set(account, queue);
    return queue;
  }
}

class AccountQueue {
  readonly #onEmpty: () => void;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(onEmpty: () => void) {
    this.#onEmpty = onEmpty;
  }

  async run<Result>(ask: () => Promise<Result>): Promise<Result> {
    if (this.#running >= AT_A_TIME_PER_ACCOUNT) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#running++;
    try {
      return await ask();
    } finally {
      const next = this.#waiting.shift(); // takes over the place
      if (next !== undefined) next();
      else if (--this.#running === 0) this.#onEmpty();
    }
  }
}

type Pending = { resolve: (value: unknown) => void; reject: (error: Error) => void };
type ThreadLimits = { maxAnswerMs: number; maxHeapMb: number };

/** One thread, from its start to its end. It answers in the order in which it is asked. */
class ParseThread implements Disposable {
  readonly #maxAnswerMs: number;
  readonly #onEnd: () => void;
  readonly #worker: Worker;
  /** In their order: the thread is busy with the first. */
  readonly #pending = new Map<number, Pending>();
  /** The accounts of the readers. */
  readonly #open = new Map<number, number>();
  #hasEnded = false;
  /** Until it answers, or until it is ended because nobody has asked. */
  #timer: NodeJS.Timeout | undefined;
  #lastId = 0;

  constructor(kind: ReaderKind, { maxAnswerMs, maxHeapMb }: ThreadLimits, onEnd: () => void) {
    this.#maxAnswerMs = maxAnswerMs;
    this.#onEnd = onEnd;
    this.#worker = new Worker(new URL('../parse-worker.ts', import.meta.url), {
      workerData: kind,
      resourceLimits: { maxOldGenerationSizeMb: maxHeapMb, maxYoungGenerationSizeMb: MAX_YOUNG_MB },
      execArgv: [], // those of this process are for its own heap
    });
    this.#worker.unref();
    this.#worker.on('message', (message: FromParseThread) => this.#receive(message));
    this.#worker.on('error', () => {}); // "exit" follows
    this.#worker.once('exit', () => this.#end());
  }

  get readers(): number {
    return this.#open.size;
  }

  isReadingFor(account: number): boolean {
    return [...this.#open.values()].includes(account);
  }

  open(account: number, options: unknown): number {
    const id = ++this.#lastId;
    this.#open.set(id, account);
    if (this.#pending.size === 0) clearTimeout(this.#timer);
    this.#send({ type: 'open', id, options });
    return id;
  }

  async ask(message: Extract<ToParseThread, { type: 'write' | 'end' }>): Promise<unknown> {
    // It has ended since, and what it had read is lost.
    if (!this.#open.has(message.id)) throw new TargetError('lost');
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.#pending.set(message.id, { resolve, reject });
    if (this.#pending.size === 1) this.#expectAnswer();
    this.#send(message);
    return await promise;
  }

  close(id: number): void {
    if (this.#open.delete(id)) this.#send({ type: 'close', id });
    this.#endWhenIdle();
  }

  [Symbol.dispose](): void {
    this.#end();
  }

  #receive(message: FromParseThread): void {
    const pending = this.#pending.get(message.id);
    this.#pending.delete(message.id);
    clearTimeout(this.#timer);
    if (this.#pending.size > 0) this.#expectAnswer();
    else this.#endWhenIdle();
    if ('failure' in message) pending?.reject(errorOf(message.failure));
    else pending?.resolve(message.value);
  }

  /** To the first that waits: what comes behind it has its own time. */
  #expectAnswer(): void {
    this.#timer = setTimeout(() => this.#endHanging(), this.#maxAnswerMs).unref();
  }

  #endHanging(): void {
    const [id] = this.#pending.keys();
    if (id !== undefined) this.#pending.get(id)?.reject(new TargetError('protocol'));
    this.#end();
  }

  #endWhenIdle(): void {
    if (this.#open.size > 0 || this.#pending.size > 0 || this.#hasEnded) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#end(), IDLE_MS).unref();
  }

  #send(message: ToParseThread): void {
    if (!this.#hasEnded) this.#worker.postMessage(message);
  }

  /** What it was reading is lost. */
  #end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    clearTimeout(this.#timer);
    this.#open.clear();
    for (const { reject } of this.#pending.values()) reject(new TargetError('lost'));
    this.#pending.clear();
    this.#onEnd();
    void this.#worker.terminate();
  }
}

function errorOf(failure: ParseFailure): Error {
  switch (failure.type) {
    case 'target':
      return new TargetError(failure.code);
    case 'file':
      return new FileError(failure.code);
    case 'download':
      return new DownloadError(failure.code, failure.said);
  }
}
