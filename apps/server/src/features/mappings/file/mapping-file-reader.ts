import { Worker } from 'node:worker_threads';
import { AppError, type LocalizedText } from '@tongtu/contract';
import { type FileEntry, readMappingFile } from './read-mapping-file.ts';

/** The slowest one takes 30 ms. A longer one is read in a thread of its own, which takes some 0.3 s to start. */
const MAX_INLINE_LENGTH = 4_000;
/** Those of up to a hundred mappings do not wait for longer ones. */
const MAX_SHORT_LENGTH = 32_000;
/** Of all accounts. */
const MAX_WAITING = 100;
const MAX_WAITING_OF_ACCOUNT = 3;
/** The slowest file that is allowed takes two seconds. */
const TIMEOUT_MS = 10_000;
/** The largest file that is allowed takes 250 MiB. */
const MAX_HEAP_MIB = 512;

/** What the thread reports. */
export type ReadFile = { ok: true; entries: FileEntry[] } | { ok: false; fields: Record<string, LocalizedText[]> };

/** Reads files of mappings without holding up other calls. */
export class MappingFileReader {
  readonly #short = new Turns();
  readonly #long = new Turns();

  /**
   * Throws like readMappingFile, request.too-many when the account has too many files waiting, and server.unavailable when
   * all accounts have, or when the thread fails.
   */
  async read(userId: number, yaml: string): Promise<FileEntry[]> {
    if (yaml.length <= MAX_INLINE_LENGTH) return readMappingFile(yaml);
    const turns = yaml.length <= MAX_SHORT_LENGTH ? this.#short : this.#long;
    await turns.take(userId);
    try {
      const result = await readInThread(yaml);
      if (!result.ok) throw new AppError('mapping-file.invalid', { fields: result.fields });
      return result.entries;
    } finally {
      turns.pass();
    }
  }
}

/** One file at a time. The accounts take turns, so that one with many files does not hold up the others. */
class Turns {
  /** Whose files wait, in the order of their turns. */
  readonly #waiting = new Map<number, (() => void)[]>();
  #waitingCount = 0;
  #isReading = false;

  /** Throws request.too-many and server.unavailable. */
  async take(userId: number): Promise<void> {
    if (!this.#isReading) {
      this.#isReading = true;
      return;
    }
    const own = this.#waiting.get(userId) ?? [];
    if (own.length >= MAX_WAITING_OF_ACCOUNT) throw new AppError('request.too-many', { retryAfterSeconds: 5 });
    if (this.#waitingCount >= MAX_WAITING) throw new AppError('server.unavailable');
    const { promise, resolve } = Promise.withResolvers<void>();
    own.push(resolve);
    this.#waiting.set(userId, own);
    this.#waitingCount++;
    await promise;
  }

  /** After every `take` that did not throw. */
  pass(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#isReading = false;
      return;
    }
    const [userId, [begin, ...rest]] = next;
    this.#waitingCount--;
    this.#waiting.delete(userId);
    if (rest.length > 0) this.#waiting.set(userId, rest); // after the others
    begin?.();
  }
}

async function readInThread(yaml: string): Promise<ReadFile> {
  const worker = new Worker(new URL('mapping-file-worker.ts', import.meta.url), {
    workerData: yaml,
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MIB },
  });
  const { promise, resolve, reject } = Promise.withResolvers<ReadFile>();
  const timer = setTimeout(() => reject(new AppError('server.unavailable')), TIMEOUT_MS);
  worker.once('message', resolve); // only this program's own thread sends it
  worker.once('error', (cause) => reject(new AppError('server.unavailable', { cause })));
  worker.once('exit', () => reject(new AppError('server.unavailable')));
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}
