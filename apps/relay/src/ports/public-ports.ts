import type { Server } from 'node:net';
import { type Backoff, createBackoff } from '@tongtu/base';
import type { ProbeResult } from '@tongtu/contract';
import type { Logger } from 'pino';
import { EmptyWait } from '../net/empty-wait.ts';
import { portKeyOf, type PortKey, type PortRoutes, type PublicPort } from '../routes/port-routes.ts';
import { bindUdp, TcpBinder } from './bind-port.ts';
import type { OpenPort, OpenPortDeps } from './open-port.ts';
import { createTcpServer, TcpPort, type TcpPortDeps } from './tcp-port.ts';
import { UdpPort } from './udp-port.ts';

export type PublicPortsDeps = Pick<
  TcpPortDeps,
  | 'findPool'
  | 'isConsoleHost'
  | 'marker'
  | 'visitLog'
  | 'limits'
  | 'visitorLimit'
  | 'monotonicMs'
  | 'wallClockMs'
  | 'abuse'
> & {
  routes: PortRoutes;
  host: string;
  /** Whether other relay processes listen on the same ports. */
  isShared: boolean;
  /** Sets the options of a listening socket. */
  prepare: (server: Server) => void;
  log: Logger;
};

/** A port of a route: bound, being bound, or refused by the system and waiting for a retry. */
type Slot = PublicPort & {
  isBinding: boolean;
  /** The route may be removed, and added again, while the port is being bound. */
  isWanted: boolean;
  open?: OpenPort;
  problem?: string;
  retry?: NodeJS.Timeout;
  readonly backoff: Backoff;
};

/** The public ports of TCP and UDP mappings: each is open as long as an enabled route has it. */
export class PublicPorts implements AsyncDisposable {
  readonly #deps: PublicPortsDeps;
  readonly #tcpBinder: TcpBinder;
  readonly #slots = new Map<PortKey, Slot>();
  readonly #changed = new Map<PortKey, PublicPort>();
  readonly #sweeper: NodeJS.Timeout;
  readonly #emptyWait = new EmptyWait(() => this.#connectionCount() === 0);
  #reconciling: NodeJS.Immediate | undefined;
  #isHeld = false;
  #isStopped = false;

  constructor(deps: PublicPortsDeps) {
    this.#deps = deps;
    this.#tcpBinder = new TcpBinder(deps, () =>
      createTcpServer().on('listening', function (this: Server) {
        deps.prepare(this);
      }),
    );
    this.#sweeper = setInterval(() => this.#sweep(), deps.limits.sweepIntervalMs);
    deps.routes.listener = (publicPort) => this.#onChanged(publicPort);
  }

  /** Opens no port until `open`. */
  hold(): void {
    this.#isHeld = true;
  }

  open(): void {
    this.#isHeld = false;
    this.#reconcile();
  }

  /** Why a mapping's port is not open, as the answer to a probe; undefined when it is open. */
  problemOf(mappingId: number): ProbeResult | undefined {
    for (const slot of this.#slots.values()) {
      if (slot.problem === undefined || this.#deps.routes.find(slot)?.route.mappingId !== mappingId) continue;
      return { ok: false, step: 'relay', ms: 0, seen: slot.problem };
    }
    return undefined;
  }

  /** Whether conversations of a mapping's port had to end lately, because there were too many. */
  wasFull(mappingId: number): boolean {
    return [...this.#slots.values()].some(
      (slot) => slot.open?.wasFull === true && this.#deps.routes.find(slot)?.route.mappingId === mappingId,
    );
  }

  /** Takes no more visitors and lets TCP connections finish for a while. */
  async drain(timeoutMs: number): Promise<void> {
    this.#isStopped = true;
    for (const slot of this.#slots.values()) {
      clearTimeout(slot.retry);
      slot.open?.stop();
    }
    await this.#emptyWait.wait(timeoutMs);
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#sweeper);
    clearImmediate(this.#reconciling);
    for (const key of [...this.#slots.keys()]) this.#close(key);
    return Promise.resolve();
  }

  /** Runs after all changes of this turn: a device whose routes are sent again loses and regains its port at once. */
  #onChanged(publicPort: PublicPort): void {
    this.#changed.set(portKeyOf(publicPort), publicPort);
    this.#reconciling ??= setImmediate(() => this.#reconcile());
  }

  #reconcile(): void {
    this.#reconciling = undefined;
    if (this.#isHeld) return;
    const changed = [...this.#changed];
    this.#changed.clear();
    if (this.#isStopped) return;
    for (const [key, { kind, port }] of changed) {
      const isWanted = this.#deps.routes.find({ kind, port })?.route.enabled === true;
      const slot = this.#slots.get(key);
      if (!isWanted) this.#close(key);
      else if (slot === undefined) this.#open(key, { kind, port });
      else slot.isWanted = true;
    }
  }

  #open(key: PortKey, publicPort: PublicPort): void {
    const { portRetryFirstMs, portRetryMaxMs } = this.#deps.limits;
    const backoff = createBackoff({ firstMs: portRetryFirstMs, maxMs: portRetryMaxMs, random: Math.random });
    const slot: Slot = { ...publicPort, isBinding: false, isWanted: true, backoff };
    this.#slots.set(key, slot);
    void this.#bind(key, slot);
  }

  async #bind(key: PortKey, slot: Slot): Promise<void> {
    const { kind, port } = slot;
    slot.isBinding = true;
    try {
      slot.open = await this.#listen(slot);
      if (slot.problem !== undefined) this.#deps.log.info({ kind, port }, 'public port is open now');
      delete slot.problem;
    } catch (err) {
      if (slot.problem === undefined && slot.isWanted && !this.#isStopped) {
        this.#deps.log.warn({ err, kind, port }, 'public port cannot be opened; trying again');
      }
      slot.problem = problemWord(err);
    }
    slot.isBinding = false;
    if (!slot.isWanted || this.#isStopped) return this.#close(key);
    if (slot.open === undefined) slot.retry = setTimeout(() => void this.#bind(key, slot), slot.backoff.nextMs());
  }

  async #listen({ kind, port }: PublicPort): Promise<OpenPort> {
    const {
      routes,
      host,
      isShared,
      findPool,
      isConsoleHost,
      marker,
      visitLog,
      limits,
      visitorLimit,
      monotonicMs,
      wallClockMs,
      abuse,
      log,
    } = this.#deps;
    const deps: OpenPortDeps = {
      findEntry: () => routes.find({ kind, port }),
      findPool,
      marker,
      visitLog,
      limits,
      monotonicMs,
      wallClockMs,
      abuse,
      onConnectionClosed: () => this.#emptyWait.onEnded(),
    };
    const onError = (err: Error) => log.warn({ err, kind, port }, 'public port had an error');
    if (kind === 'udp') {
      const socket = await bindUdp({ host, port, isShared });
      socket.on('error', onError);
      return new UdpPort(socket, deps);
    }
    const server = await this.#tcpBinder.bind(port);
    server.on('error', onError);
    return new TcpPort(server, { ...deps, visitorLimit, isConsoleHost });
  }

  /** A port that is being bound is closed after binding: it must not be requested a second time meanwhile. */
  #close(key: PortKey): void {
    const slot = this.#slots.get(key);
    if (slot === undefined) return;
    slot.isWanted = false;
    if (slot.isBinding) return;
    this.#slots.delete(key);
    clearTimeout(slot.retry);
    slot.open?.close();
  }

  #sweep(): void {
    const monotonicMs = this.#deps.monotonicMs();
    for (const { open } of this.#slots.values()) open?.sweep(monotonicMs);
  }

  #connectionCount(): number {
    return [...this.#slots.values()].reduce((count, { open }) => count + (open?.connectionCount ?? 0), 0);
  }
}

function problemWord(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') return 'port_in_use';
  return code === 'EACCES' ? 'port_not_allowed' : 'port_failed';
}
