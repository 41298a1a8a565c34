import { Worker } from 'node:worker_threads';
import { DownloadError } from '../errors/download-error.ts';
import { FileError } from '../errors/file-error.ts';
import { TargetError } from '../errors/target-error.ts';
import type { FromParseThread, ParseFailure, ReaderKind, ToParseThread } from './parse-messages.ts';

/** A reader holds little, and what it gives is passed on at once. */
const MAX_HEAP_MB = 192;
const MAX_YOUNG_MB = 32;
/** Of a piece, which takes some milliseconds. A thread that takes longer hangs, or has no processor. */
const MAX_ANSWER_MS = 30_000;
/** Without readers a thread ends: it has about 10 MB. */
const IDLE_MS = 60_000;
/** Longer ones would keep the readers of others waiting. */
const PIECE_BYTES = 64 * 1024;
/** Pieces of one account in a thread. The others wait, so that the accounts share the thread. */
const AT_A_TIME_PER_ACCOUNT = 2;

/** A reader in a thread. Its calls fail with FileError, DownloadError or TargetError. */
export type RemoteReader<Part, End> = Disposable & {
  write(bytes: Buffer): Promise<Part[]>;
  end(): Promise<End>;
};

/** The threads in which the lists and answers of targets are read. */
export class ParseThreads implements Disposable {
  readonly #threads = new Map<ReaderKind, ParseThread>();
  readonly #accounts = new Map<number, AccountQueue>();
  readonly #maxAnswerMs: number;

  constructor({ maxAnswerMs = MAX_ANSWER_MS } = {}) {
    this.#maxAnswerMs = maxAnswerMs;
  }

  /** For the target of a session that this account has opened. */
  open<Part, End>(kind: ReaderKind, account: number, options: unknown = {}): RemoteReader<Part, End> {
    const thread = this.#threads.get(kind) ?? new ParseThread(kind, this.#maxAnswerMs);
    this.#threads.set(kind, thread);
    const queue = this.#queueOf(account);
    const id = thread.open(options);
    return {
      async write(bytes) {
        const parts: Part[] = [];
        for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
          const piece = bytes.subarray(at, at + PIECE_BYTES);
          parts.push((await queue.run(() => thread.ask({ type: 'write', id, bytes: piece }))) as Part); // of its kind
        }
        return parts;
      },
      end: async () => (await queue.run(() => thread.ask({ type: 'end', id }))) as End, // as above
      [Symbol.dispose]: () => thread.close(id),
    };
  }

  [Symbol.dispose](): void {
    for (const thread of this.#threads.values()) thread[Symbol.dispose]();
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

type Pending = { resolve: (value: unknown) => void; reject: (error: Error) => void; timer: NodeJS.Timeout };

/** One thread, started again after its end. */
class ParseThread implements Disposable {
  readonly #kind: ReaderKind;
  readonly #maxAnswerMs: number;
  readonly #pending = new Map<number, Pending>();
  readonly #open = new Set<number>();
  #worker: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;
  #lastId = 0;

  constructor(kind: ReaderKind, maxAnswerMs: number) {
    this.#kind = kind;
    this.#maxAnswerMs = maxAnswerMs;
  }

  open(options: unknown): number {
    const id = ++this.#lastId;
    clearTimeout(this.#idle);
    this.#open.add(id);
    this.#worker ??= this.#start();
    this.#send({ type: 'open', id, options });
    return id;
  }

  async ask(message: Extract<ToParseThread, { type: 'write' | 'end' }>): Promise<unknown> {
    // It has ended since, and what it had read is lost.
    if (this.#worker === undefined || !this.#open.has(message.id)) throw new TargetError('lost');
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const timer = setTimeout(() => this.#end(), this.#maxAnswerMs).unref();
    this.#pending.set(message.id, { resolve, reject, timer });
    this.#send(message);
    return await promise;
  }

  close(id: number): void {
    if (this.#open.delete(id)) this.#send({ type: 'close', id });
    if (this.#open.size > 0) return;
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => this.#end(), IDLE_MS).unref();
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#idle);
    this.#end();
  }

  #start(): Worker {
    const worker = new Worker(new URL('../parse-worker.ts', import.meta.url), {
      workerData: this.#kind,
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB, maxYoungGenerationSizeMb: MAX_YOUNG_MB },
      execArgv: [], // those of this process are for its own heap
    });
    worker.unref();
    worker.on('message', (message: FromParseThread) => this.#receive(message));
    worker.on('error', () => {}); // "exit" follows
    worker.once('exit', () => {
      if (this.#worker === worker) this.#end();
    });
    return worker;
  }

  #receive(message: FromParseThread): void {
    const pending = this.#pending.get(message.id);
    this.#pending.delete(message.id);
    clearTimeout(pending?.timer);
    if ('failure' in message) pending?.reject(errorOf(message.failure));
    else pending?.resolve(message.value);
  }

  #send(message: ToParseThread): void {
    this.#worker?.postMessage(message);
  }

  /** What was read by it has failed: it is unknown which target is to blame. */
  #end(): void {
    const worker = this.#worker;
    this.#worker = undefined;
    this.#open.clear();
    for (const { reject, timer } of this.#pending.values()) {
      clearTimeout(timer);
      reject(new TargetError('lost'));
    }
    this.#pending.clear();
    void worker?.terminate();
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
