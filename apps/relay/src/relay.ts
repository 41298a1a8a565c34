import { createGatewayListener } from './apps/gateway-listener.ts';
import { createDeviceSide, type DeviceSide } from './device-side.ts';
import type { Server } from 'node:net';
import { listen, stopListening } from './net/listen.ts';
import { OpenSockets } from './net/open-sockets.ts';
import type { RelayCore } from './relay-core.ts';
import { createVisitorSide, type VisitorSide } from './visitor-side.ts';

/** When many agents reconnect at once, those beyond the backlog retry after a second or more. Linux allows 4 096. */
const AGENT_BACKLOG = 4_096;
/** Time for the last messages to agents to be sent. */
const GOODBYE_MS = 1_000;
/** How long visitors may send one more request on an open connection while the relay hands over. */
const IDLE_GRACE_MS = 5_000;

/** A running relay, from its first port to its last byte. */
export class Relay {
  readonly #core: RelayCore;
  readonly #devices: DeviceSide;
  readonly #visitors: VisitorSide;
  readonly #sockets = new OpenSockets();
  readonly #visitorSockets = new OpenSockets();
  readonly #gatewayListener: Server | undefined;
  readonly #ports: { httpPort: number; tlsPort: number; tunnelPort: number; frpPort: number | undefined };
  #gatewayPort: number | undefined;
  #opening: Promise<void> = Promise.resolve();
  #stopping: Promise<void> | undefined;

  constructor(core: RelayCore) {
    const { httpPort, tlsPort, tunnelPort, frpPort } = core.config.listen;
    this.#core = core;
    this.#ports = { httpPort, tlsPort, tunnelPort, frpPort };
    this.#devices = createDeviceSide(core, {
      portProblemOf: (mappingId) => this.#visitors.publicPorts.problemOf(mappingId),
      tryVisit: (deviceId, visit) => this.#visitors.trials.visit(deviceId, visit),
      wasPortFull: (mappingId) => this.#visitors.publicPorts.wasFull(mappingId),
    });
    this.#visitors = createVisitorSide(core, {
      ...this.#devices,
      httpPort: () => this.#ports.httpPort,
      tlsPort: () => this.#ports.tlsPort,
    });
    const { httpServer, tlsServer } = this.#visitors;
    this.#gatewayListener = this.#createGatewayListener();
    for (const server of [httpServer, tlsServer, this.#devices.server, this.#devices.frpc.server]) {
      this.#sockets.watch(server);
      server.on('listening', () => core.listenerOptions.apply(server));
    }
    if (this.#gatewayListener !== undefined) this.#sockets.watch(this.#gatewayListener);
    for (const server of [httpServer, tlsServer]) this.#visitorSockets.watch(server);
  }

  get httpPort(): number {
    return this.#ports.httpPort;
  }

  get tlsPort(): number {
    return this.#ports.tlsPort;
  }

  get tunnelPort(): number {
    return this.#ports.tunnelPort;
  }

  get frpPort(): number | undefined {
    return this.#ports.frpPort;
  }

  get gatewayPort(): number | undefined {
    return this.#gatewayPort;
  }

  get deviceCount(): number {
    return this.#devices.sessions.count;
  }

  async start(): Promise<void> {
    const { config, edge } = this.#core;
    const { host } = config.listen;
    const { client, reporter, visitReporter, server, frpc } = this.#devices;
    try {
      await edge.start();
      this.#ports.tunnelPort = await listen(server, 'agents', {
        host,
        port: this.tunnelPort,
        exclusive: true,
        backlog: AGENT_BACKLOG,
      });
      if (this.#ports.frpPort !== undefined)
        this.#ports.frpPort = await listen(frpc.server, 'frpc', { host, port: this.#ports.frpPort, exclusive: true });
      if (this.#gatewayListener !== undefined)
        this.#gatewayPort = await listen(this.#gatewayListener, 'the gateway', {
          host: '127.0.0.1',
          port: 0,
          exclusive: true,
        });
      if (config.warmUp === undefined) await this.#letVisitorsIn();
      else this.#visitors.publicPorts.hold();
      client.start();
      reporter.start();
      visitReporter.start();
      if (config.warmUp !== undefined) this.#opening = this.#letVisitorsInWarm();
      this.#opening.catch(() => {}); // callers of whenOpen handle it
    } catch (error) {
      await this.#close(0);
      throw error;
    }
  }

  whenReady(): Promise<void> {
    return this.#devices.client.whenReady();
  }

  whenOpen(): Promise<void> {
    return this.#opening;
  }

  endWarmUp(): void {
    this.#devices.warmUp.end();
  }

  handOver(): Promise<void> {
    const { drainMs } = this.#core.limits;
    this.#visitors.visitors.drainIdle({ afterMs: Math.min(IDLE_GRACE_MS, drainMs) });
    // Including those in a handshake: no other process would serve them.
    return (this.#stopping ??= this.#close(drainMs, this.#visitorSockets.whenEmpty(drainMs)));
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#visitors.visitors.drainIdle({ afterMs: 0 });
    return (this.#stopping ??= this.#close(this.#core.limits.drainMs));
  }

  #createGatewayListener(): Server | undefined {
    const { config, routes, monotonicMs } = this.#core;
    const { sessions } = this.#devices;
    if (config.gateway === undefined) return undefined;
    return createGatewayListener({
      secret: config.gateway.secret,
      findApp: routes.findApp.bind(routes),
      findPool: sessions.findPool.bind(sessions),
      monotonicMs,
    });
  }

  /** Other relay processes of this machine may listen for visitors as well, see docs/adr/0011. */
  async #letVisitorsIn(): Promise<void> {
    const { host } = this.#core.config.listen;
    const { httpServer, tlsServer, publicPorts } = this.#visitors;
    this.#ports.tlsPort = await listen(tlsServer, 'https', { host, port: this.tlsPort });
    publicPorts.open();
    this.#ports.httpPort = await listen(httpServer, 'http', { host, port: this.httpPort });
  }

  async #letVisitorsInWarm(): Promise<void> {
    await this.whenReady();
    await this.#devices.warmUp.wait();
    if (this.#stopping !== undefined) return;
    await this.#letVisitorsIn();
    this.#core.log.info({ devices: this.deviceCount }, 'visitors are let in');
  }

  async #close(drainMs: number, whenDrained?: Promise<void>): Promise<void> {
    const { edge, limits } = this.#core;
    const { sessions, warmUp, client, reporter, visitReporter, server, frpc } = this.#devices;
    const { visitors, passthrough, publicPorts, upstreams, httpServer, tlsServer } = this.#visitors;
    warmUp.cancel();
    for (const listener of [httpServer, tlsServer, server, frpc.server]) stopListening(listener);
    if (this.#gatewayListener !== undefined) stopListening(this.#gatewayListener);
    sessions.goAway();
    const drained = [visitors, publicPorts, passthrough].map((connections) => connections.drain(drainMs));
    await Promise.all([...drained, whenDrained]);
    sessions.endAll();
    passthrough[Symbol.dispose]();
    edge[Symbol.dispose]();
    await Promise.all([visitors[Symbol.asyncDispose](), publicPorts[Symbol.asyncDispose]()]);
    for (const upstream of upstreams) upstream.close();
    await Promise.all([reporter.stop(limits.usageLastReportMs), visitReporter.stop(limits.usageLastReportMs)]);
    await Promise.all([client[Symbol.asyncDispose](), this.#sockets.end(GOODBYE_MS)]);
  }
}
