import { Worker } from 'node:worker_threads';
import { AppError, type LocalizedText } from '@tongtu/contract';
import { type FileEntry, readMappingFile } from './read-mapping-file.ts';

/** A longer file takes so long that it is read in a thread of its own, which takes some 0.3 s to start. */
const MAX_INLINE_LENGTH = 8_000;
const MAX_WAITING = 20;
/** The longest file that is allowed takes two seconds on a slow machine. */
const TIMEOUT_MS = 20_000;
const MAX_HEAP_MIB = 256;

/** What the thread reports. */
export type ReadFile = { ok: true; entries: FileEntry[] } | { ok: false; fields: Record<string, LocalizedText[]> };

/** Reads files of mappings without holding up other calls, one long file at a time. */
export class MappingFileReader {
  #last: Promise<unknown> = Promise.resolve();
  #waitingCount = 0;

  /** Throws like readMappingFile, and server.unavailable when too many wait or the thread fails. */
  async read(yaml: string): Promise<FileEntry[]> {
    if (yaml.length <= MAX_INLINE_LENGTH) return readMappingFile(yaml);
    if (this.#waitingCount >= MAX_WAITING) throw new AppError('server.unavailable');
    this.#waitingCount++;
    const before = this.#last;
    const reading = before.then(async () => await readInThread(yaml)).finally(() => this.#waitingCount--);
    this.#last = reading.catch(() => undefined); // the caller gets the error
    const result = await reading;
    if (!result.ok) throw new AppError('mapping-file.invalid', { fields: result.fields });
    return result.entries;
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
