import { closeSync, openSync, readFileSync } from 'node:fs';
import { devNull } from 'node:os';
import type { Logger } from 'pino';

const EVERY_MS = 1_000;
const LOG_EVERY_MS = 60_000;

/**
 * Logs, at most once a minute, that this process has no file descriptor left. A listener cannot notice: libuv accepts
 * and closes such a connection without an event (`uv__emfile_trick`). So a file is opened as a probe, in this thread:
 * another thread could take the spare descriptor that libuv closes for a moment.
 */
export function watchDescriptors(log: Logger, { everyMs = EVERY_MS } = {}): Disposable {
  const limit = readLimit();
  let loggedAtMs = -Infinity;
  const probe = (): void => {
    try {
      closeSync(openSync(devNull, 'r'));
    } catch (err) {
      if (performance.now() - loggedAtMs < LOG_EVERY_MS) return;
      loggedAtMs = performance.now();
      log.error({ err, limit }, 'no file descriptor is left: connections are closed unanswered');
    }
  };
  const timer = setInterval(probe, everyMs).unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

/** The limit of open files of this process; undefined without /proc. */
function readLimit(): number | undefined {
  try {
    const limit = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
    return limit === undefined ? undefined : Number(limit);
  } catch {
    return undefined; // only a field of the log line
  }
}
