import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type DeviceRoutes, RelayToServer, type ServerToRelay } from '@tongtu/contract';
import { WebSocketServer, type WebSocket } from 'ws';

export const testSecret = 'relay-secret-of-tests';

type TicketRequest = Extract<RelayToServer, { type: 'redeem_ticket' }>;
type TicketOutcome = { verificationId: number; mappingId: number; expiresAtMs: number } | string;
type FrpcCall = Extract<RelayToServer, { type: 'frpc_login' | 'frpc_proxy' }>;
type FrpcClaim = Extract<RelayToServer, { type: 'frpc_claim' }>;
type Handlers = {
  frpcLogin: (login: Extract<RelayToServer, { type: 'frpc_login' }>) => DeviceRoutes | string;
  /** Returns why the login is refused. */
  frpcClaim: (claim: FrpcClaim) => string | undefined;
  frpcProxy: (request: Extract<RelayToServer, { type: 'frpc_proxy' }>) => DeviceRoutes | string;
  enrol: (request: Extract<RelayToServer, { type: 'enrol' }>) => DeviceRoutes | string;
  redeem: (request: TicketRequest) => TicketOutcome | Promise<TicketOutcome>;
  mark: (request: Extract<RelayToServer, { type: 'mark_client' }>) => DeviceRoutes | string;
  /** Answers plain requests in place of the API server. */
  page: RequestListener;
};

/** The server's side of relay control over a real WebSocket, with routes that a test changes. */
export class FakeServer implements AsyncDisposable {
  readonly devices = new Map<number, DeviceRoutes>();
  readonly received: RelayToServer[] = [];
  readonly handlers: Handlers = {
    enrol: () => 'enrolment.token-invalid',
    redeem: () => 'gate.ticket-invalid',
    mark: () => 'gate.window-over',
    frpcLogin: () => 'frpc.login-unknown',
    frpcClaim: (claim) => this.#acceptLater(claim),
    frpcProxy: () => 'device.not-found',
    page: answerPage,
  };
  readonly gateKey: Buffer;
  /** While true the relay cannot connect. */
  isAway = false;
  /** While false the relay's reports get no answer. */
  storesUsage = true;
  /** While false a request for a snapshot gets none; the test sends its parts. */
  sendsSnapshots = true;
  #turnedAway = 0;
  readonly #http: Server;
  readonly #sockets = new WebSocketServer({ noServer: true });
  #relay: WebSocket | undefined;
  #version = 1;
  #onChange: () => void = () => {};

  constructor(http: Server, gateKey: Buffer) {
    this.#http = http;
    this.gateKey = gateKey;
    http.on('upgrade', (request, socket, head) => {
      if (this.isAway) {
        this.#turnedAway++;
        socket.end('HTTP/1.1 503 Service Unavailable\r\n\r\n');
        this.#onChange();
        return;
      }
      if (request.url !== '/internal/relay-control/' || request.headers.authorization !== `Bearer ${testSecret}`) {
        socket.end('HTTP/1.1 401 Unauthorized\r\n\r\n');
        return;
      }
      this.#sockets.handleUpgrade(request, socket, head, (relay) => this.#serve(relay));
    });
  }

  get port(): number {
    return (this.#http.address() as AddressInfo).port; // it listens on TCP
  }

  put(device: DeviceRoutes): void {
    this.devices.set(device.deviceId, device);
    this.send({ type: 'device', version: ++this.#version, device });
  }

  remove(deviceId: number): void {
    this.devices.delete(deviceId);
    this.send({ type: 'device_removed', version: ++this.#version, deviceId });
  }

  /** A part of a snapshot: by default the only one. */
  sendSnapshotPart(part: Partial<Extract<ServerToRelay, { type: 'snapshot' }>>): void {
    this.send({
      type: 'snapshot',
      version: ++this.#version,
      isFirst: true,
      isLast: true,
      gateKey: this.gateKey.toString('base64url'),
      consoleUrl: 'http://localhost:8080',
      devices: [],
      keptDeviceIds: [],
      ...part,
    });
  }

  /** Changes the routes without a message, so that the next change shows a gap. */
  putUnheard(device: DeviceRoutes): void {
    this.devices.set(device.deviceId, device);
    this.#version++;
  }

  send(message: ServerToRelay): void {
    this.sendText(JSON.stringify(message));
  }

  /** Sends bytes that no server should send. */
  sendText(text: string): void {
    this.#relay?.send(text);
  }

  dropRelay(): void {
    this.#relay?.terminate();
  }

  /** Resolves when an attempt of the relay to reconnect has failed, so that it has noticed the loss. */
  async relayTurnedAway(): Promise<void> {
    while (this.#turnedAway === 0) await new Promise<void>((resolve) => (this.#onChange = resolve));
  }

  /** Resolves with the first message, past or to come, that the test accepts. */
  async waitFor<Type extends RelayToServer['type']>(
    type: Type,
    accept: (message: Extract<RelayToServer, { type: Type }>) => boolean = () => true,
  ): Promise<Extract<RelayToServer, { type: Type }>> {
    for (;;) {
      const found = this.received.find(
        (message): message is Extract<RelayToServer, { type: Type }> =>
          message.type === type && accept(message as Extract<RelayToServer, { type: Type }>), // same type
      );
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => (this.#onChange = resolve));
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#relay?.terminate();
    this.#http.closeAllConnections();
    await new Promise((resolve) => this.#http.close(resolve));
  }

  #serve(relay: WebSocket): void {
    this.#relay = relay;
    relay.on('message', (bytes) => {
      const message = RelayToServer.parse(JSON.parse((bytes as Buffer).toString())); // ws passes Buffers
      this.received.push(message);
      this.#answer(message);
      this.#onChange();
    });
  }

  #answer(message: RelayToServer): void {
    if (message.type === 'hello' || message.type === 'resync') {
      if (this.sendsSnapshots) this.sendSnapshotPart({ devices: [...this.devices.values()] });
    } else if (message.type === 'enrol') {
      const answer = this.handlers.enrol(message);
      const result =
        typeof answer === 'string' ? { ok: false as const, code: answer } : { ok: true as const, device: answer };
      this.send({ type: 'enrol_result', correlation: message.correlation, result });
    } else if (message.type === 'redeem_ticket') {
      void this.#redeem(message);
    } else if (message.type === 'mark_client') {
      const answer = this.handlers.mark(message);
      const result =
        typeof answer === 'string' ? { ok: false as const, code: answer } : { ok: true as const, device: answer };
      this.send({ type: 'mark_result', correlation: message.correlation, result });
    } else if (message.type === 'frpc_claim') {
      const code = this.handlers.frpcClaim(message);
      const result = code === undefined ? { ok: true as const } : { ok: false as const, code };
      this.send({ type: 'frpc_claim_result', correlation: message.correlation, result });
    } else if (message.type === 'frpc_login' || message.type === 'frpc_proxy') {
      this.#answerFrpc(message);
    } else if (message.type === 'usage' && this.storesUsage) {
      this.send({ type: 'usage_stored', sequence: message.sequence });
    } else if (message.type === 'visits') {
      this.send({ type: 'visits_stored', sequence: message.sequence });
    }
  }

  readonly #loginTimes = new Map<number, number>();

  #acceptLater({ deviceId, timestamp, isAhead }: FrpcClaim): string | undefined {
    if (isAhead === true) return undefined;
    if (timestamp <= (this.#loginTimes.get(deviceId) ?? 0)) return 'frpc.login-repeated';
    this.#loginTimes.set(deviceId, timestamp);
    return undefined;
  }

  #answerFrpc(message: FrpcCall): void {
    const { type, correlation } = message;
    const answer = type === 'frpc_login' ? this.handlers.frpcLogin(message) : this.handlers.frpcProxy(message);
    if (typeof answer !== 'string') this.devices.set(answer.deviceId, answer);
    const result =
      typeof answer === 'string'
        ? { ok: false as const, code: answer, text: `不行 / ${answer}` }
        : { ok: true as const, device: answer };
    this.send({ type: `${type}_result`, correlation, result });
  }

  async #redeem(request: TicketRequest): Promise<void> {
    const answer = await this.handlers.redeem(request);
    const result = typeof answer === 'string' ? { ok: false as const, code: answer } : { ok: true as const, ...answer };
    this.send({ type: 'ticket_result', correlation: request.correlation, result });
  }
}

const answerPage: RequestListener = (request, response) => {
  response.setHeader('x-seen', JSON.stringify(request.headers));
  response.end(`console:${request.url}`);
};

/** Starts one on a free port. It answers plain requests with `console:<path>` unless the test does. */
export async function startFakeServer(gateKey: Buffer): Promise<FakeServer> {
  const http = createServer((request, response) => server.handlers.page(request, response));
  const server = new FakeServer(http, gateKey);
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  return server;
}
