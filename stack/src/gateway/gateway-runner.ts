import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { getCompileCacheDir } from 'node:module';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createBackoff } from '@tongtu/base';
import { GatewayToServer, type ServerToGateway } from '@tongtu/contract';
import type { Logger } from 'pino';
import type { FromGateway, ToGateway } from './gateway-messages.ts';

const PROGRAM = path.join(import.meta.dirname, '../gateway-process.ts');
/** Sessions hold little each, but a target may send anything. Beyond this the process ends and is started again. */
const MAX_HEAP_MB = 768;
/** Without a sign of life for so many seconds the process counts as hung. Loading on a busy machine takes some. */
const MAX_SILENT_BEATS = 30;
const STABLE_AFTER_MS = 30_000;
const END_WITHIN_MS = 3_000;

/** The gateway process ended before it listened; its own log line says why. */
export class GatewayStartError extends Error {
  override readonly name = 'GatewayStartError';
  constructor({ exitCode, signalCode }: ChildProcess) {
    super(`the gateway process ended (code ${exitCode}, signal ${signalCode})`);
  }
}

/** The server's side of its link to the gateway. */
export type GatewayLink = AsyncDisposable & { onMessage: (message: GatewayToServer) => void };
type OpenLink = (send: (message: ServerToGateway) => void) => GatewayLink;

/** The gateway process, started again whenever it ends. */
export class GatewayRunner implements AsyncDisposable {
  readonly #options: { gatewaySecret: string; logLevel: string };
  readonly #log: Logger;
  readonly #stop = new AbortController();
  readonly #listening = Promise.withResolvers<number>();
  readonly #relayPorts = new Map<number, number>();
  #child: ChildProcess;
  #watching: Promise<void>;
  #port = 0;
  #silentBeats = 0;
  #openLink: OpenLink | undefined;
  /** Of the process that runs now. */
  #link: GatewayLink | undefined;

  constructor(options: { gatewaySecret: string; logLevel: string }, log: Logger) {
    this.#options = options;
    this.#log = log;
    this.#child = this.#fork();
    this.#watching = this.#watch();
    this.#listening.promise.catch(() => {}); // whenListening reports it
  }

  /** Resolves with the port on this machine, which stays the same. Rejects with GatewayStartError. */
  whenListening(): Promise<number> {
    return this.#listening.promise;
  }

  /** Connects the server. Before, the gateway has no sessions. */
  connect(openLink: OpenLink): void {
    this.#openLink = openLink;
    this.#connect();
  }

  /** A relay listens for the gateway at this port of this machine. */
  setRelayPort(relay: number, port: number): void {
    this.#relayPorts.set(relay, port);
    this.#sendRelays();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), END_WITHIN_MS);
    if (this.#child.connected) this.#child.disconnect();
    await this.#watching;
    clearTimeout(timer);
    await this.#disconnect();
  }

  async #watch(): Promise<void> {
    const { signal } = this.#stop;
    const backoff = createBackoff({ firstMs: 200, maxMs: 5_000, random: Math.random });
    for (;;) {
      const startedAtMs = performance.now();
      if (this.#child.exitCode === null && this.#child.signalCode === null) await once(this.#child, 'exit');
      if (signal.aborted) return;
      if (this.#port === 0) {
        this.#listening.reject(new GatewayStartError(this.#child));
        return;
      }
      const { exitCode: code, signalCode } = this.#child;
      this.#log.error({ code, signal: signalCode }, 'the gateway process ended by itself and is started again');
      if (performance.now() - startedAtMs > STABLE_AFTER_MS) backoff.reset();
      await delay(backoff.nextMs(), undefined, { signal }).catch(() => undefined); // stopping
      await this.#disconnect();
      if (signal.aborted) return;
      this.#child = this.#fork();
      this.#connect();
    }
  }

  #connect(): void {
    this.#link = this.#openLink?.((message) => this.#send({ type: 'server', message }));
  }

  async #disconnect(): Promise<void> {
    const link = this.#link;
    this.#link = undefined;
    await link?.[Symbol.asyncDispose]();
  }

  #fork(): ChildProcess {
    const child = fork(PROGRAM, [], {
      execArgv: [`--max-old-space-size=${MAX_HEAP_MB}`],
      serialization: 'advanced',
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      env: { ...process.env, NODE_COMPILE_CACHE: getCompileCacheDir() ?? '' },
    });
    this.#silentBeats = 0;
    const beats = setInterval(() => {
      if (++this.#silentBeats > MAX_SILENT_BEATS) child.kill('SIGKILL');
    }, 1_000).unref();
    child.once('exit', () => clearInterval(beats));
    child.on('error', (err) => this.#log.error({ err }, 'a message to the gateway process failed'));
    child.on('message', (message: FromGateway) => this.#onMessage(message));
    child.send({ type: 'start', port: this.#port, ...this.#options } satisfies ToGateway);
    return child;
  }

  #onMessage(message: FromGateway): void {
    this.#silentBeats = 0;
    switch (message.type) {
      case 'beat':
        return;
      case 'listening':
        this.#port = message.port;
        this.#listening.resolve(message.port);
        return this.#sendRelays();
      case 'server':
        this.#link?.onMessage(GatewayToServer.parse(message.message));
    }
  }

  #sendRelays(): void {
    this.#send({ type: 'relays', ports: [...this.#relayPorts.values()] });
  }

  #send(message: ToGateway): void {
    if (this.#child.connected) this.#child.send(message, () => {}); // it may be ending, which #watch reports
  }
}
