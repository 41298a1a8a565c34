import http from 'node:http';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

const EVERY_MS = 15;
const TIMEOUT_MS = 10_000;

export type VisitorLoad = AsyncDisposable & {
  /** The number of correct answers. */
  readonly okCount: number;
  /** A description of each failure. */
  readonly failures: string[];
};

/** Continuous web visitors: half of them reuse their connection, half open a new one for each request. */
export function startVisitors(target: { port: number; host: string; expected: string }, count: number): VisitorLoad {
  const keepAlive = new http.Agent({ keepAlive: true, maxSockets: count });
  return startLoad(count, {
    visitOnce: (index) => visit(target, index % 2 === 0 ? keepAlive : false),
    close: () => keepAlive.destroy(),
  });
}

/** Continuous visitors of a TCP port with an echo service: each time a connection, a word, and the end. */
export function startTcpVisitors(port: number, count: number): VisitorLoad {
  return startLoad(count, { visitOnce: () => visitEcho(port), close: () => undefined });
}

type LoadActions = { visitOnce: (index: number) => Promise<string | undefined>; close: () => void };

function startLoad(count: number, { visitOnce, close }: LoadActions): VisitorLoad {
  const stop = new AbortController();
  const load = { okCount: 0, failures: [] as string[] };
  const visitors = Array.from({ length: count }, async (_, index) => {
    while (!stop.signal.aborted) {
      const outcome = await visitOnce(index).catch((error: Error) => `${error.message} (${index})`);
      if (outcome === undefined) load.okCount++;
      else load.failures.push(outcome);
      await pause(EVERY_MS);
    }
  });
  return Object.assign(load, {
    async [Symbol.asyncDispose]() {
      stop.abort();
      await Promise.all(visitors);
      close();
    },
  });
}

function visitEcho(port: number): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let said = '';
    socket.setTimeout(TIMEOUT_MS, () => socket.destroy(new Error('no answer in time')));
    socket.setEncoding('utf8').on('data', (text: string) => (said += text));
    socket.once('end', () => resolve(said === 'word' ? undefined : `TCP: ${said}`));
    socket.once('error', reject);
    socket.end('word');
  });
}

/** The error of the answer, if any. */
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
