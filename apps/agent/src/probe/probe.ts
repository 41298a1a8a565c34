import { isHttp2Greeting } from '@tongtu/base';
import type { Socket } from 'node:net';
import type { RelayMessage } from '@tongtu/tunnel';
import { askUdp } from './ask-udp.ts';
import { dialTcp } from '../forward/dial-tcp.ts';
import { type Resolver, resolveTarget, systemResolver } from '../forward/resolve-target.ts';
import { startTls } from '../forward/start-tls.ts';
import { TargetError, type TargetFailure, targetErrorOf } from '../forward/target-error.ts';
import { weaknessOfTls } from './tls-weakness.ts';

const TOTAL_MS = 8000;
const stepTimeoutsMs = { dns_lan: 3000, tcp: 3000, udp: 4500, tls: 4000, http: 5000, weakness: 2000 } as const;
const MAX_STATUS_LINE_BYTES = 4096;
const KNOWN_PROTOCOLS = new Set(['http', 'https', 'tcp', 'udp']);

type ProbeRequest = Extract<RelayMessage, { type: 'probe' }>;
type ProbeStep = Exclude<keyof typeof stepTimeoutsMs, 'weakness'>;
/** What was seen, and what makes the service's TLS weak. */
type Seen = { seen: string; weakness?: string | undefined };
export type ProbeOutcome = { ok: boolean; step: ProbeStep; ms: number } & Seen;

export type ProbeDeps = {
  isAllowed: boolean;
  monotonicMs: () => number;
  signal: AbortSignal;
  resolver?: Resolver;
};

const words = {
  refused: 'refused',
  unreachable: 'unreachable',
  timeout: 'timeout',
  notFound: 'not_found',
  notAllowed: 'not_allowed',
  credentialAddress: 'credential_address',
  tlsFailed: 'tls_failed',
  certificateInvalid: 'certificate_invalid',
} as const satisfies Record<TargetFailure, string>;

/** Does what a visitor's request needs, step by step, and returns the last step. Never throws; takes at most 8 s. */
export async function runProbe(request: ProbeRequest, deps: ProbeDeps): Promise<ProbeOutcome> {
  // A newer relay may ask for a protocol that this agent does not know.
  if (!KNOWN_PROTOCOLS.has(request.protocol)) return { ok: false, step: 'tcp', ms: 0, seen: 'unsupported' };
  const startedAtMs = deps.monotonicMs();
  const steps = new ProbeSteps(deps.signal);
  const outcome = (ok: boolean, seen: Seen): ProbeOutcome => {
    return { ok, step: steps.current, ms: Math.round(deps.monotonicMs() - startedAtMs), ...seen };
  };
  try {
    return outcome(true, await walk(request, deps, steps));
  } catch (error) {
    return outcome(false, { seen: error instanceof SeenError ? error.seen : words[targetErrorOf(error).failure] });
  } finally {
    steps.close();
  }
}

async function walk(request: ProbeRequest, deps: ProbeDeps, steps: ProbeSteps): Promise<Seen> {
  if (!deps.isAllowed) throw new TargetError('notAllowed');
  const addresses = await steps.run('dns_lan', () => resolveTarget(request.host, deps.resolver ?? systemResolver));
  if (request.protocol === 'udp')
    return { seen: await steps.run('udp', (signal) => askUdp(addresses[0]!, request.port, signal)) }; // never empty
  const tcp = await steps.run('tcp', (signal) => dialTcp(addresses, request.port, signal));
  steps.own(tcp);
  if (request.protocol === 'tcp') return { seen: 'connected' };
  if (request.protocol === 'http') return { seen: await steps.run('http', () => askStatus(tcp, request)) };
  const name = request.tlsName ?? request.host;
  const isVerified = request.verifyTls === true;
  const place = { addresses, port: request.port, name, isVerified };
  let seen: string;
  try {
    const target = await steps.run('tls', (signal) => startTls(tcp, name, { isVerified, signal }));
    seen = await steps.run('http', () => askStatus(target, request));
  } catch (error) {
    if (!mayNeedAlpn(error) || (await steps.runAside((signal) => speaksHttp2(place, signal))) !== true) throw error;
    steps.current = 'http';
    return { seen: 'http2' };
  }
  // A certificate is verified by the rules of OpenSSL alone.
  if (isVerified) return { seen };
  const weak = steps.runAside((signal) => weaknessOfTls({ addresses, port: request.port, name }, signal));
  return { seen, weakness: await weak };
}

/** Services of gRPC insist on ALPN: without it they end the connection, or answer that it is missing. */
function mayNeedAlpn(error: unknown): boolean {
  return error instanceof SeenError || (error instanceof TargetError && error.failure === 'tlsFailed');
}

type TlsPlace = { addresses: readonly string[]; port: number; name: string; isVerified: boolean };

async function speaksHttp2({ addresses, port, name, isVerified }: TlsPlace, signal: AbortSignal): Promise<boolean> {
  const secured = await startTls(await dialTcp(addresses, port, signal), name, { isVerified, isHttp2: true, signal });
  secured.on('error', () => {});
  secured.destroy();
  return secured.alpnProtocol === 'h2';
}

/** A result that only a probe distinguishes. */
class SeenError extends Error {
  override readonly name = 'SeenError';
  readonly seen: 'closed' | 'not_http';
  constructor(seen: 'closed' | 'not_http') {
    super(seen);
    this.seen = seen;
  }
}

/** Limits the time of each step and of all together, and closes the socket that they opened. */
class ProbeSteps {
  current: ProbeStep = 'dns_lan';
  readonly #total = new AbortController();
  readonly #signal: AbortSignal;
  readonly #timer: NodeJS.Timeout;
  readonly #abort = () => this.#total.abort(new TargetError('timeout'));
  #socket: Socket | undefined;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
    this.#timer = setTimeout(this.#abort, TOTAL_MS);
    signal.addEventListener('abort', this.#abort, { once: true });
    if (signal.aborted) this.#abort();
  }

  own(socket: Socket): void {
    this.#socket = socket;
  }

  async run<T>(step: ProbeStep, task: (signal: AbortSignal) => Promise<T>): Promise<T> {
    this.current = step;
    return await this.#runFor(stepTimeoutsMs[step], task);
  }

  /** After the last step. Undefined without a result in time. */
  async runAside<T>(task: (signal: AbortSignal) => Promise<T>): Promise<T | undefined> {
    return await this.#runFor(stepTimeoutsMs.weakness, task).catch(() => undefined);
  }

  async #runFor<T>(timeoutMs: number, task: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const limit = new AbortController();
    const abort = () => limit.abort(new TargetError('timeout'));
    const timer = setTimeout(abort, timeoutMs);
    this.#total.signal.addEventListener('abort', abort, { once: true });
    if (this.#total.signal.aborted) abort();
    try {
      // A name lookup cannot be cancelled, so the step ends at its time limit although the lookup continues.
      return await Promise.race([task(limit.signal), rejectOnAbort(limit.signal)]);
    } finally {
      clearTimeout(timer);
      this.#total.signal.removeEventListener('abort', abort);
    }
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#signal.removeEventListener('abort', this.#abort);
    this.#socket?.destroy();
  }
}

function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const abort = () => reject(targetErrorOf(signal.reason));
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) abort();
  });
}

/** Requests `/` and reads only the status line: any status shows that the service runs, and so does HTTP/2. */
function askStatus(target: Socket, request: ProbeRequest): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    target.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
      if (isHttp2Greeting(text)) {
        target.destroy();
        return resolve('http2');
      }
      const lineEnd = text.indexOf('\n');
      if (lineEnd === -1 && text.length < MAX_STATUS_LINE_BYTES) return;
      const status = /^HTTP\/1\.[01] (\d{3})/.exec(text)?.[1];
      target.destroy();
      // What Node.js answers for a service of HTTP/2 alone.
      const wantsAlpn = status === '403' && text.includes('ALPN');
      if (status === undefined || wantsAlpn) reject(new SeenError('not_http'));
      else resolve(`status_${status}`);
    });
    target.once('close', () => reject(new SeenError('closed')));
    target.once('end', () => reject(new SeenError(text === '' ? 'closed' : 'not_http')));
    target.write(
      `GET / HTTP/1.1\r\nHost: ${hostHeader(request)}\r\nUser-Agent: Tongtu-Probe\r\nConnection: close\r\n\r\n`,
    );
  });
}

function hostHeader({ host, port, protocol }: ProbeRequest): string {
  const name = host.includes(':') ? `[${host}]` : host;
  return port === (protocol === 'https' ? 443 : 80) ? name : `${name}:${port}`;
}
