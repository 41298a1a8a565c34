import { randomUUID } from 'node:crypto';
import { createBackoff } from '@tongtu/base';
import {
  AppError,
  type DeviceRoutes,
  type EdgeCertificate,
  type EdgeState,
  isErrorCode,
  type PresenceEvent,
  type ProbeResult,
  RELAY_CONTROL_PROTOCOL,
  type RelayToServer,
  ServerToRelay,
} from '@tongtu/contract';
import type { Logger } from 'pino';
import { WebSocket } from 'ws';
import type { TicketRedemption } from './ticket-redemption.ts';
import type { VisitorProof } from '../access/visitor-proof.ts';
import { LoadMeter } from './load-meter.ts';
import { OpenRequests } from './open-requests.ts';
import { presenceBatches } from './presence-batches.ts';
import type { RelayLimits } from '../config/relay-limits.ts';
import { ComingPicture } from './coming-picture.ts';
import type { RouteTable } from '../routes/route-table.ts';
import type { UsageReport } from '../usage/usage-reporter.ts';

/** Presence changes are reported together, so that the return of thousands is dozens of transactions. */
const PRESENCE_EVERY_MS = 100;
// Pictures and certificates come in parts of a megabyte or two; a device with all that it can have takes a few.
const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;

export type ServerClientOptions = {
  url: string;
  secret: string;
  relayId: string;
  limits: RelayLimits;
  routes: RouteTable;
  onlineEvents: () => PresenceEvent[];
  probe: (deviceId: number, mappingId: number) => Promise<ProbeResult>;
  onEdge: (edge: EdgeState) => void;
  onCertificates: (certificates: EdgeCertificate[]) => void;
  onCertificatesKept: (ids: number[]) => void;
  onUsageStored: (sequence: number) => void;
  /** The server listens (again). */
  onGreeted: () => void;
  now: () => number;
  log: Logger;
};

type Message<Type extends ServerToRelay['type']> = Extract<ServerToRelay, { type: Type }>;

/** The line to the server: routes come in, presence goes out. While it is down the relay goes on from memory. */
export class ServerClient implements AsyncDisposable {
  readonly #options: ServerClientOptions;
  readonly #bootId = randomUUID();
  readonly #enrolments: OpenRequests<DeviceRoutes>;
  readonly #tickets: OpenRequests<VisitorProof>;
  readonly #marks: OpenRequests<undefined>;
  readonly #backoff;
  readonly #load = new LoadMeter();
  readonly #ready = Promise.withResolvers<void>();
  #socket: WebSocket | undefined;
  #isGreeted = false;
  #version: number | undefined;
  /** The whole picture that is on its way. */
  #coming: ComingPicture | undefined;
  #lastHeardMs = 0;
  #presence: PresenceEvent[] = [];
  #flush: NodeJS.Timeout | undefined;
  #flushedAtMs = Number.NEGATIVE_INFINITY;
  #heartbeat: NodeJS.Timeout | undefined;
  #retry: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(options: ServerClientOptions) {
    this.#options = options;
    const { limits } = options;
    this.#enrolments = new OpenRequests(limits.serverRequestTimeoutMs);
    this.#tickets = new OpenRequests(limits.serverRequestTimeoutMs);
    this.#marks = new OpenRequests(limits.serverRequestTimeoutMs);
    this.#backoff = createBackoff({
      firstMs: limits.reconnectFirstMs,
      maxMs: limits.reconnectMaxMs,
      random: Math.random,
    });
    // Nobody has to wait for it.
    this.#ready.promise.catch(() => {});
  }

  start(): void {
    this.#heartbeat = setInterval(() => this.#beat(), this.#options.limits.serverHeartbeatMs);
    this.#connect();
  }

  /** Resolves with the first picture of the routes; rejects when the relay stops before. */
  whenReady(): Promise<void> {
    return this.#ready.promise;
  }

  /** Throws AppError with the server's code, or `server.unavailable` when there is no answer. */
  enrol(request: { token: string; publicKey: string; name: string; publicIp: string }): Promise<DeviceRoutes> {
    return this.#enrolments.ask((correlation) => this.#send({ type: 'enrol', correlation, ...request }));
  }

  /** Throws AppError like `enrol`. */
  redeemTicket(request: TicketRedemption): Promise<VisitorProof> {
    return this.#tickets.ask((correlation) => this.#send({ type: 'redeem_ticket', correlation, ...request }));
  }

  /** Resolves when this client's address was marked and is in the routes. Throws AppError like `enrol`. */
  async markClient(client: { mappingId: number; ip: string; userAgent: string }): Promise<void> {
    await this.#marks.ask((correlation) => this.#send({ type: 'mark_client', correlation, ...client }));
  }

  /** False when the server is away. */
  reportUsage(report: UsageReport): boolean {
    return this.#send({ type: 'usage', bootId: this.#bootId, ...report });
  }

  /** Sent in batches. While the server is away the oldest are dropped beyond a limit: the next hello tells who is online. */
  reportPresence(event: PresenceEvent): void {
    this.#presence.push(event);
    if (this.#presence.length > this.#options.limits.maxQueuedPresence) this.#presence.shift();
    const waitMs = Math.max(0, this.#flushedAtMs + PRESENCE_EVERY_MS - this.#options.now());
    this.#flush ??= setTimeout(() => this.#flushPresence(), waitMs);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#heartbeat);
    clearTimeout(this.#retry);
    this.#flushPresence();
    this.#ready.reject(new Error('the relay was stopped'));
    const socket = this.#socket;
    if (socket === undefined) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(() => socket.terminate(), 1_000);
      socket.once('close', () => {
        clearTimeout(timer);
        resolve();
      });
      if (socket.readyState === WebSocket.OPEN) socket.close(1000);
      else socket.terminate();
    });
  }

  #connect(): void {
    const { url, secret, log, now } = this.#options;
    const socket = new WebSocket(url, {
      headers: { authorization: `Bearer ${secret}` },
      handshakeTimeout: this.#options.limits.serverRequestTimeoutMs,
      maxPayload: MAX_MESSAGE_BYTES,
      perMessageDeflate: false,
    });
    this.#socket = socket;
    this.#lastHeardMs = now();
    socket.on('open', () => {
      this.#greet();
      this.#beat();
      log.info('connected to the server');
    });
    // ws hands out one Buffer a message unless its binaryType is changed.
    socket.on('message', (bytes) => this.#onText(socket, (bytes as Buffer).toString()));
    socket.on('pong', () => (this.#lastHeardMs = now()));
    socket.on('error', (err) => log.debug({ err }, 'server connection failed'));
    socket.on('close', (code) => this.#onClose(code));
  }

  #greet(): void {
    const { relayId, onlineEvents } = this.#options;
    this.#forgetVersion();
    const online = onlineEvents();
    const [first = [], ...rest] = presenceBatches(online);
    this.#write({ type: 'hello', protocol: RELAY_CONTROL_PROTOCOL, relayId, bootId: this.#bootId, online: first });
    // To the server these were away for the blink of an eye; it goes by the last word.
    for (const events of rest) this.#write({ type: 'presence', events });
    this.#isGreeted = true;
    const isOnline = new Set(online.map((event) => event.deviceId));
    // The hello has told who is online; what is left to tell is why and when the others went.
    this.#presence = this.#presence.filter((event) => !event.online && !isOnline.has(event.deviceId));
    this.#flushPresence();
    this.#options.onGreeted();
  }

  #onText(socket: WebSocket, text: string): void {
    this.#lastHeardMs = this.#options.now();
    try {
      const message = ServerToRelay.parse(JSON.parse(text));
      if (message.type === 'snapshot' || message.type === 'device' || message.type === 'device_removed')
        this.#onRoutes(message);
      else if (message.type === 'edge' || message.type === 'certificates' || message.type === 'certificates_kept')
        this.#onEdge(message);
      else if (message.type === 'usage_stored') this.#options.onUsageStored(message.sequence);
      else this.#onAnswer(message);
    } catch (err) {
      this.#options.log.error({ err }, 'message of the server not understood');
      socket.close(1008);
    }
  }

  #onRoutes(message: Message<'snapshot' | 'device' | 'device_removed'>): void {
    if (message.type === 'snapshot' && message.isFirst) {
      this.#version = message.version;
      this.#coming = new ComingPicture();
    }
    // Until the picture comes that was asked for, nothing else means anything.
    else if (this.#version === undefined || message.version <= this.#version) return;
    else if (message.version > this.#version + 1) {
      this.#forgetVersion();
      this.#write({ type: 'resync' });
      return;
    }
    this.#version = message.version;
    if (message.type === 'snapshot') this.#onPart(message);
    else if (message.type === 'device') this.#putDevice(message.device);
    else this.#removeDevice(message.deviceId);
  }

  #onPart(part: Message<'snapshot'>): void {
    const { routes } = this.#options;
    this.#coming?.add(part);
    if (!part.isLast || this.#coming === undefined) return;
    const { gateKey, consoleUrl } = part;
    const { devices, keptDeviceIds } = this.#coming;
    routes.replaceAll({ gateKey, consoleUrl, devices, keptDeviceIds });
    this.#coming = undefined;
    this.#backoff.reset();
    this.#ready.resolve();
  }

  /** What is told of one device counts at once, and in the picture that is on its way. */
  #putDevice(device: DeviceRoutes): void {
    const { routes } = this.#options;
    this.#coming?.put(device);
    if (routes.isReady) routes.putDevice(device);
  }

  #removeDevice(deviceId: number): void {
    this.#coming?.remove(deviceId);
    this.#options.routes.removeDevice(deviceId);
  }

  #forgetVersion(): void {
    this.#version = undefined;
    this.#coming = undefined;
  }

  #onEdge(message: Message<'edge' | 'certificates' | 'certificates_kept'>): void {
    const { onEdge, onCertificates, onCertificatesKept } = this.#options;
    if (message.type === 'edge') onEdge(message.edge);
    else if (message.type === 'certificates') onCertificates(message.certificates);
    else onCertificatesKept(message.ids);
  }

  #onAnswer(message: Message<'enrol_result' | 'ticket_result' | 'mark_result' | 'probe' | 'greet'>): void {
    switch (message.type) {
      case 'greet':
        this.#greet();
        return;
      case 'enrol_result': {
        const { correlation, result } = message;
        // It may be younger than the part of a picture that would have shown it.
        if (result.ok) this.#coming?.put(result.device);
        if (result.ok) this.#enrolments.resolve(correlation, result.device);
        else this.#enrolments.reject(correlation, errorOf(result.code));
        return;
      }
      case 'ticket_result': {
        const { correlation, result } = message;
        if (result.ok) this.#tickets.resolve(correlation, result);
        else this.#tickets.reject(correlation, errorOf(result.code));
        return;
      }
      case 'mark_result': {
        const { correlation, result } = message;
        // In its place among all that is told of routes, so that the client finds its address there.
        if (result.ok) this.#putDevice(result.device);
        if (result.ok) this.#marks.resolve(correlation, undefined);
        else this.#marks.reject(correlation, errorOf(result.code));
        return;
      }
      case 'probe':
        void this.#answerProbe(message);
    }
  }

  async #answerProbe({ correlation, deviceId, mappingId }: Message<'probe'>): Promise<void> {
    const result = await this.#options.probe(deviceId, mappingId);
    this.#send({ type: 'probe_result', correlation, result });
  }

  #beat(): void {
    const { now, limits } = this.#options;
    if (this.#socket === undefined) return;
    if (now() - this.#lastHeardMs > limits.serverLostMs) {
      this.#socket.terminate();
    } else if (this.#isGreeted) {
      this.#socket.ping();
      this.#send({ type: 'heartbeat', load: this.#load.read(), bootId: this.#bootId });
    }
  }

  #flushPresence(): void {
    clearTimeout(this.#flush);
    this.#flush = undefined;
    if (!this.#isGreeted || this.#presence.length === 0) return;
    this.#flushedAtMs = this.#options.now();
    for (const events of presenceBatches(this.#presence.splice(0))) this.#write({ type: 'presence', events });
  }

  /** False when the server is away. */
  #send(message: RelayToServer): boolean {
    if (!this.#isGreeted) return false;
    this.#write(message);
    return true;
  }

  #write(message: RelayToServer): void {
    this.#socket?.send(JSON.stringify(message));
  }

  #onClose(code: number): void {
    const { log } = this.#options;
    this.#socket = undefined;
    this.#isGreeted = false;
    this.#enrolments.rejectAll();
    this.#tickets.rejectAll();
    this.#marks.rejectAll();
    if (this.#isStopped) return;
    const waitMs = this.#backoff.nextMs();
    log.warn({ code, waitMs }, 'no connection to the server');
    this.#retry = setTimeout(() => this.#connect(), waitMs);
  }
}

function errorOf(code: string): AppError {
  return new AppError(isErrorCode(code) ? code : 'server.internal');
}
