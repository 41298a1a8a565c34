import http from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

const EVERY_MS = 15;
const TIMEOUT_MS = 10_000;

export type VisitorLoad = AsyncDisposable & {
  /** How many requests were answered as they should be. */
  readonly okCount: number;
  /** What went wrong, each in words. */
  readonly failures: string[];
};

/** Visitors that come all the time: half of them keep their connection, half open one for each request. */
export function startVisitors(target: { port: number; host: string; expected: string }, count: number): VisitorLoad {
  const load = { okCount: 0, failures: [] as string[] };
  const keepAlive = new http.Agent({ keepAlive: true, maxSockets: count });
  const stop = new AbortController();
  const visitors = Array.from({ length: count }, async (_, index) => {
    const agent = index % 2 === 0 ? keepAlive : false;
    while (!stop.signal.aborted) {
      const outcome = await visit(target, agent).catch((error: Error) => `${error.message} (${index})`);
      if (outcome === undefined) load.okCount++;
      else load.failures.push(outcome);
      await pause(EVERY_MS);
    }
  });
  return Object.assign(load, {
    async [Symbol.asyncDispose]() {
      stop.abort();
      await Promise.all(visitors);
      keepAlive.destroy();
    },
  });
}

/** What was wrong with the answer; undefined: nothing. */
function visit(
  { port, host, expected }: { port: number; host: string; expected: string },
  agent: http.Agent | false,
): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const request = http.get({ host: '127.0.0.1', port, headers: { host }, agent, timeout: TIMEOUT_MS }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (text: string) => (body += text));
      response.once('end', () =>
        resolve(body === expected ? undefined : `HTTP ${response.statusCode}: ${body.slice(0, 200)}`),
      );
      response.once('error', reject);
    });
    request.once('timeout', () => request.destroy(new Error('no answer in time')));
    request.once('error', reject);
  });
}
