import type { Logger } from 'pino';
import { WrongArchiveError } from './fetch-package.ts';
import { prepareRuntime, type Runtime } from './prepare-runtime.ts';
import { readRuntimePackage, type RuntimePlatform } from './runtime-packages.ts';

/** A slow registry may take this long. */
const PREPARE_WITHIN_MS = 15 * 60_000;
/** A failure is answered to all who ask within this time, so that devices that wait do not make one try each. */
const RETRY_AFTER_MS = 10_000;

export type RuntimesDeps = {
  /** The lockfile that npm has installed this server from. */
  lockFile: string;
  /** The cache. May be deleted at any time. */
  folder: string;
  /** Base address of the npm registry. */
  registry: string;
};

/** `unknown`: the lockfile has no such package. */
type RuntimeFailure = 'unknown' | 'wrong-archive' | 'disk' | 'registry';
export type RuntimeState =
  | { type: 'ready'; runtime: Runtime }
  | { type: 'preparing' }
  | { type: 'failed'; reason: RuntimeFailure };

type Task = { state: RuntimeState; finished: Promise<void>; failedAtMs: number };

/** Node.js for the platforms of devices. Each is fetched and packed once, when the first device asks for it. */
export class Runtimes {
  readonly #deps: RuntimesDeps & { log: Pick<Logger, 'info' | 'error'>; monotonicMs: () => number };
  readonly #tasks = new Map<RuntimePlatform, Task>();
  readonly #stopping = new AbortController();

  constructor(deps: RuntimesDeps & { log: Pick<Logger, 'info' | 'error'>; monotonicMs: () => number }) {
    this.#deps = deps;
  }

  /** Starts the preparation where needed, and waits for its end, but no longer than this. */
  async find(platform: RuntimePlatform, waitMs: number): Promise<RuntimeState> {
    const task = this.#current(platform);
    let timer: NodeJS.Timeout | undefined;
    const waited = new Promise<void>((resolve) => (timer = setTimeout(resolve, waitMs)));
    await Promise.race([task.finished, waited]);
    clearTimeout(timer);
    return task.state;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort();
    await Promise.all([...this.#tasks.values()].map(({ finished }) => finished));
  }

  #current(platform: RuntimePlatform): Task {
    const known = this.#tasks.get(platform);
    const isStale = known?.state.type === 'failed' && this.#deps.monotonicMs() - known.failedAtMs >= RETRY_AFTER_MS;
    if (known !== undefined && !isStale) return known;
    const task: Task = { state: { type: 'preparing' }, finished: Promise.resolve(), failedAtMs: 0 };
    task.finished = this.#prepare(platform).then((state) => {
      task.state = state;
      task.failedAtMs = this.#deps.monotonicMs();
    });
    this.#tasks.set(platform, task);
    return task;
  }

  async #prepare(platform: RuntimePlatform): Promise<RuntimeState> {
    const { lockFile, folder, registry, log } = this.#deps;
    try {
      const from = await readRuntimePackage(lockFile, platform);
      if (from === undefined) return { type: 'failed', reason: 'unknown' };
      const signal = AbortSignal.any([this.#stopping.signal, AbortSignal.timeout(PREPARE_WITHIN_MS)]);
      const runtime = await prepareRuntime(from, { folder, registry, signal });
      log.info({ platform, version: runtime.version, bytes: runtime.bytes }, 'a runtime for devices is ready');
      return { type: 'ready', runtime };
    } catch (err) {
      if (!this.#stopping.signal.aborted) log.error({ err, platform }, 'a runtime for devices could not be prepared');
      return { type: 'failed', reason: reasonOf(err) };
    }
  }
}

function reasonOf(error: unknown): RuntimeFailure {
  if (error instanceof WrongArchiveError) return 'wrong-archive';
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return ['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EPERM'].includes(String(code)) ? 'disk' : 'registry';
}
