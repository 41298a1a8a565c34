import { execFile } from 'node:child_process';
import type { Logger } from 'pino';

type Notify = { socket: string; searchPath: string | undefined };
export type Watchdog = Notify & { limitMs: number };

/**
 * What systemd asks for with WatchdogSec=, or undefined. Removes the variables from the environment: a PostgreSQL that
 * is built for systemd would report its own stop as that of the service. WATCHDOG_PID is ignored: it names npm, which
 * started this process.
 */
export function takeWatchdog(env: NodeJS.ProcessEnv): Watchdog | undefined {
  const { NOTIFY_SOCKET: socket, WATCHDOG_USEC: limit, PATH: searchPath } = env;
  for (const name of ['NOTIFY_SOCKET', 'WATCHDOG_USEC', 'WATCHDOG_PID']) delete env[name];
  const limitMs = Number(limit) / 1000;
  return socket === undefined || !(limitMs > 0) ? undefined : { socket, searchPath, limitMs };
}

/**
 * Notifies systemd that the event loop runs, three times within its limit, so that one message may be lost. Node.js
 * has no Unix datagram sockets, so `systemd-notify` sends it.
 */
export function startWatchdog({ limitMs, ...notify }: Watchdog, log: Logger): Disposable {
  const everyMs = limitMs / 3;
  const beat = (): void => sendNotification(notify, everyMs, log);
  beat();
  const timer = setInterval(beat, everyMs).unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

function sendNotification({ socket, searchPath }: Notify, timeout: number, log: Logger): void {
  const env = { NOTIFY_SOCKET: socket, PATH: searchPath };
  const report = (err: Error): void => log.error({ err }, 'systemd was not notified: it may restart the service');
  try {
    execFile('systemd-notify', ['WATCHDOG=1'], { env, timeout }, (err) => err && report(err)).unref();
  } catch (err) {
    // When the system refuses a process, Node throws some errors and passes others to the callback.
    report(err instanceof Error ? err : new Error(String(err)));
  }
}
