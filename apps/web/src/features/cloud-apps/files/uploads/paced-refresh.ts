/** Many small files arrive faster than a folder can be read. */
const FIRST_WAIT_MS = 1_000;
const MAX_WAIT_MS = 15_000;
/** A large folder takes the browser's time as well: reading it is to be a small part of all. */
const WAIT_FOR_EACH_MS_OF_READING = 10;

/** Reads again what may have changed, but not more often than its reading costs. */
export function pacedRefresh(read: () => Promise<void>) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let waitMs = FIRST_WAIT_MS;
  let isReading = false;
  let isWanted = false;

  async function run(): Promise<void> {
    timer = undefined;
    isReading = true;
    isWanted = false;
    const startedAtMs = performance.now();
    await read();
    isReading = false;
    const tookMs = performance.now() - startedAtMs;
    waitMs = Math.min(MAX_WAIT_MS, Math.max(FIRST_WAIT_MS, WAIT_FOR_EACH_MS_OF_READING * tookMs));
    if (isWanted) timer = setTimeout(() => void run(), waitMs);
  }

  return {
    /** At the latest after the wait. */
    soon(): void {
      isWanted = true;
      if (!isReading) timer ??= setTimeout(() => void run(), waitMs);
    },
    /** For the end, when nothing more is to come. */
    now(): void {
      clearTimeout(timer);
      timer = undefined;
      waitMs = FIRST_WAIT_MS;
      isWanted = true;
      if (!isReading) void run();
    },
    stop: () => clearTimeout(timer),
  };
}
