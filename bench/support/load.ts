import { execFile } from 'node:child_process';
import http from 'node:http';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * An address under test: the port to connect to, the Host to send, and the visitor's cookie. `connectPort`: of an HTTP proxy
 * that is asked for the port by CONNECT, in downloads.
 */
export type Address = { port: number; host: string; headers?: Record<string, string>; connectPort?: number };

/** Requests per second over 64 keep-alive connections, by wrk. Throws when an answer was not a success. */
export async function requestsPerSecond(address: Address, path: string, seconds: number): Promise<number> {
  const args = ['-t1', '-c64', `-d${seconds}`, ...headerArgs(address), urlOf(address, path)];
  const { stdout } = await run('wrk', args);
  if (/Non-2xx/.test(stdout)) throw new Error(stdout);
  return Number(/Requests\/sec:\s*([\d.]+)/.exec(stdout)?.[1]);
}

/** Megabytes per second of `streams` concurrent downloads. */
export async function downloadRate(address: Address, path: string, streams: number): Promise<number> {
  const startedAtMs = performance.now();
  const sizes = await Promise.all(Array.from({ length: streams }, () => download(address, path)));
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  return bytes / 1e6 / ((performance.now() - startedAtMs) / 1000);
}

/** curl runs in its own process, so that the speed of this one does not matter. */
async function download(address: Address, path: string): Promise<number> {
  const { connectPort } = address;
  const proxy = connectPort === undefined ? [] : ['--proxytunnel', '--proxy', `http://127.0.0.1:${connectPort}`];
  const output = ['-sf', '-o', '/dev/null', '-w', '%{size_download}'];
  const args = [...output, ...proxy, ...headerArgs(address), urlOf(address, path)];
  const { stdout } = await run('curl', args);
  return Number(stdout);
}

function headerArgs({ host, headers = {} }: Address): string[] {
  // wrk recognizes its Host header only in this spelling.
  return Object.entries({ Host: host, ...headers }).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
}

function urlOf({ port }: Address, path: string): string {
  return `http://127.0.0.1:${port}${path}`;
}

export type Latency = { p50Ms: number; p99Ms: number };

/** The time to a complete answer at a steady rate, over eight keep-alive connections. */
export async function latency(address: Address, path: string, perSecond: number, seconds: number): Promise<Latency> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 8 });
  const times: number[] = [];
  const pending: Array<Promise<void>> = [];
  const startedAtMs = performance.now();
  for (let n = 0; n < perSecond * seconds; n++) {
    const dueMs = startedAtMs + (n * 1000) / perSecond;
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, dueMs - performance.now())));
    pending.push(timeOne(address, path, agent).then((ms) => void times.push(ms)));
  }
  await Promise.all(pending);
  agent.destroy();
  // The first second is the warm-up.
  const sorted = times.slice(perSecond).toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
  return { p50Ms: at(0.5), p99Ms: at(0.99) };
}

/** Milliseconds to a complete, successful answer. */
export function timeOne(address: Address, path: string, agent: http.Agent | false): Promise<number> {
  return new Promise((resolve, reject) => {
    const startedAtMs = performance.now();
    const outgoing = openRequest(address, path, agent, (response) => {
      if (response.statusCode !== 200) reject(new Error(`answered ${response.statusCode}`));
      response.resume();
      response.on('end', () => resolve(performance.now() - startedAtMs));
    });
    outgoing.on('error', reject);
  });
}

/** One request, whose answer the caller reads. */
export function openRequest(
  { port, host, headers }: Address,
  path: string,
  agent: http.Agent | false,
  onResponse: (response: http.IncomingMessage) => void,
): http.ClientRequest {
  return http.get({ host: '127.0.0.1', port, path, agent, headers: { ...headers, host } }, onResponse);
}
