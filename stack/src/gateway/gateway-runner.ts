import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { getCompileCacheDir } from 'node:module';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createBackoff, nodeEnvironment } from '@tongtu/base';
import { GatewayToServer, type ServerToGateway } from '@tongtu/contract';
import type { Logger } from 'pino';
import { programFile } from '../program-file.ts';
import type { FromGateway, ToGateway } from './gateway-messages.ts';

/** Sessions hold little each, but a target may send anything. Beyond this the process ends. */
const MAX_HEAP_MB = 768;
/**
 * Its visitors wait for as long. A busy gateway blocks its event loop for a second at most, with the keys of many SSH
 * connections. Loading on a busy machine takes longer.
 */
const defaultHeartbeat: GatewayHeartbeat = { everyMs: 1_000, maxMissed: 10, maxMissedAtStart: 30 };
const STABLE_AFTER_MS = 30_000;
const END_WITHIN_MS = 3_000;

/** The server's side of its link to the gateway. */
type GatewayLink = AsyncDisposable & { onMessage: (message: GatewayToServer) => void };
type OpenGatewayLink = (send: (message: ServerToGateway) => void) => GatewayLink;

/** Starts the process. Throws, or gives a process without id that emits `error`, when the system refuses one. */
type ForkGateway = () => ChildProcess;
/** Beats in a row that may be missing before the process counts as hung; `AtStart`: before its first one. */
type GatewayHeartbeat = { everyMs: number; maxMissed: number; maxMissedAtStart: number };
type Options = { gatewaySecret: string; logLevel: string; fork?: ForkGateway; heartbeat?: GatewayHeartbeat };
type Running = {
  child: ChildProcess;
  link: GatewayLink | undefined;
  startedAtMs: number;
  /** Connections on their way to the process. This process has them open as well until they have arrived. */
  passing: Map<number, Socket>;
};

/**
 * Listens for the relays' connections to the gateway and passes each to the gateway process, which is started for the
 * first one: an installation without cloud apps does without its 100 MB. After its end the next connection starts it
 * again. This process sees none of the bytes.
 */
export class GatewayRunner implements AsyncDisposable {
  readonly #options: Options;
  readonly #log: Logger;
  readonly #listener: Server;
  readonly #relayPorts = new Map<number, number>();
  readonly #backoff = createBackoff({ firstMs: 200, maxMs: 5_000, random: Math.random });
  #openLink: OpenGatewayLink | undefined;
  #running: Running | undefined;
  #mayStartAtMs = 0;
  #passed = 0;
  #isStopped = false;

  private constructor(options: Options, log: Logger) {
    this.#options = options;
    this.#log = log;
    this.#listener = createServer({ pauseOnConnect: true, noDelay: true }, (socket) => this.#pass(socket));
  }

  static async listen(options: Options, log: Logger): Promise<GatewayRunner> {
    const runner = new GatewayRunner(options, log);
    runner.#listener.listen(0, '127.0.0.1');
    await once(runner.#listener, 'listening');
    return runner;
  }

  get port(): number {
    return (this.#listener.address() as AddressInfo).port; // it listens on TCP
  }

  /** Connects the server. Before, no session can be opened. */
  connect(openLink: OpenGatewayLink): void {
    this.#openLink = openLink;
  }

  /** A relay listens for the gateway at this port of this machine. */
  setRelayPort(relay: number, port: number): void {
    this.#relayPorts.set(relay, port);
    if (this.#running !== undefined) this.#sendRelays(this.#running.child);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isStopped = true;
    this.#listener.close();
    const { child } = this.#running ?? {};
    if (child === undefined) return;
    const timer = setTimeout(() => child.kill('SIGKILL'), END_WITHIN_MS);
    if (child.connected) child.disconnect();
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    clearTimeout(timer);
  }

  #pass(socket: Socket): void {
    socket.on('error', () => {}); // the relay has closed it
    const running = this.#running ?? this.#start();
    if (running === undefined) {
      socket.destroy();
      return;
    }
    const id = ++this.#passed;
    running.passing.set(id, socket);
    // Without keepOpen, Node.js would never close those that a hung process has not taken when it is killed.
    running.child.send({ type: 'connection', id } satisfies ToGateway, socket, { keepOpen: true }, (error) => {
      if (error !== null) this.#endPassing(running, id); // the process has just ended
    });
  }

  /** Closes the copy of this process; the connection itself goes on if the gateway has it. */
  #endPassing({ passing }: Running, id: number): void {
    passing.get(id)?.destroy();
    passing.delete(id);
  }

  /** Undefined when the system refuses it, and while it must not be started: it ended just now, or everything stops. */
  #start(): Running | undefined {
    const startedAtMs = performance.now();
    if (this.#isStopped || startedAtMs < this.#mayStartAtMs) return undefined;
    const child = this.#fork();
    if (child === undefined) {
      this.#pause(startedAtMs);
      return undefined;
    }
    const send = (message: ServerToGateway) => sendTo(child, { type: 'server', message });
    const running: Running = { child, link: this.#openLink?.(send), startedAtMs, passing: new Map() };
    this.#running = running;
    this.#watch(running);
    child.once('exit', (code, signal) => this.#onEnded(running, { code, signal }));
    const { gatewaySecret, logLevel } = this.#options;
    sendTo(child, { type: 'start', gatewaySecret, logLevel });
    this.#sendRelays(child);
    return running;
  }

  /** Undefined when the system refuses a process: no program, no memory, too many processes or open files. */
  #fork(): ChildProcess | undefined {
    const report = (err: unknown): void =>
      this.#log.error({ err }, 'the gateway process could not be started or reached');
    try {
      const child = (this.#options.fork ?? forkGateway)();
      child.on('error', report);
      return child.pid === undefined ? undefined : child; // without a process there will be no `exit`
    } catch (error) {
      // Node throws some of the system's refusals (ENOMEM) and emits others (EAGAIN, EMFILE, ENOENT).
      report(error);
      return undefined;
    }
  }

  #watch(running: Running): void {
    const { child } = running;
    const { everyMs, maxMissed, maxMissedAtStart } = this.#options.heartbeat ?? defaultHeartbeat;
    let missed = 0;
    let allowed = maxMissedAtStart;
    const beats = setInterval(() => {
      if (++missed <= allowed) return;
      clearInterval(beats);
      this.#log.error('the gateway process hung and is killed; its sessions end');
      child.kill('SIGKILL'); // also ends a process that SIGSTOP has paused
    }, everyMs).unref();
    child.once('exit', () => clearInterval(beats));
    child.on('message', (message: FromGateway) => {
      missed = 0;
      allowed = maxMissed;
      if (message.type === 'accepted') this.#endPassing(running, message.id);
      else if (message.type === 'server') this.#onServerMessage(running, message.message);
    });
  }

  #onServerMessage({ link }: Running, message: unknown): void {
    const { data, error: err } = GatewayToServer.safeParse(message);
    // A bug, and no reason to end this process with it.
    if (data === undefined)
      this.#log.error({ err }, 'the gateway process sent a message that the server does not know');
    else link?.onMessage(data);
  }

  #onEnded(running: Running, exit: { code: number | null; signal: NodeJS.Signals | null }): void {
    const { link, startedAtMs, passing } = running;
    this.#running = undefined;
    for (const id of passing.keys()) this.#endPassing(running, id);
    void link?.[Symbol.asyncDispose]();
    if (this.#isStopped) return;
    this.#log.error(exit, 'the gateway process ended by itself; the next request starts it again');
    this.#pause(startedAtMs);
  }

  /** Connections of the next moments are refused. */
  #pause(startedAtMs: number): void {
    if (performance.now() - startedAtMs > STABLE_AFTER_MS) this.#backoff.reset();
    this.#mayStartAtMs = performance.now() + this.#backoff.nextMs();
  }

  #sendRelays(child: ChildProcess): void {
    sendTo(child, { type: 'relays', ports: [...this.#relayPorts.values()] });
  }
}

function forkGateway(): ChildProcess {
  return fork(programFile('gateway-process'), [], {
    execArgv: [`--max-old-space-size=${MAX_HEAP_MB}`],
    serialization: 'advanced',
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: { ...nodeEnvironment(process.env), NODE_COMPILE_CACHE: getCompileCacheDir() ?? '' },
  });
}

function sendTo(child: ChildProcess, message: ToGateway): void {
  if (child.connected) child.send(message, () => {}); // it may be ending, which 'exit' reports
}
