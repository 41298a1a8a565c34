import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { WebSocket, WebSocketServer, type ServerOptions } from 'ws';
import type { Device } from '@tongtu/contract';
import { ApiClient } from '../clients/api-client.ts';
import { startProduct, type Product } from '../product/product.ts';
import { waitFor } from '../wait-for.ts';
import { request } from '../clients/http-request.ts';
import { type RawWebSocketService, startRawWebSocketService } from './raw-peer.ts';
import { Tap } from './tap.ts';

const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;

/** A service behind the product: `host` is its public name, `tap` records the wire before it. */
export type TappedService = { host: string; tap: Tap };

/** The product between two taps: one before its public port, one before each service. */
export class WebSocketStage implements AsyncDisposable {
  readonly product: Product;
  readonly visitorTap: Tap;
  readonly #client: ApiClient;
  readonly #device: Device;
  readonly #resources: AsyncDisposableStack;

  private constructor(
    product: Product,
    parts: { visitorTap: Tap; client: ApiClient; device: Device },
    resources: AsyncDisposableStack,
  ) {
    this.product = product;
    this.visitorTap = parts.visitorTap;
    this.#client = parts.client;
    this.#device = parts.device;
    this.#resources = resources;
  }

  static async open(): Promise<WebSocketStage> {
    await using starting = new AsyncDisposableStack();
    const product = starting.use(await startProduct());
    const visitorTap = starting.use(await Tap.start(product.ports.http));
    const client = new ApiClient(product);
    await client.logIn();
    const { device } = await client.waitForWelcomeDevice();
    return new WebSocketStage(product, { visitorTap, client, device }, starting.move());
  }

  /** A server of `ws` that sends every message back. */
  async serveEcho(prefix: string, options: ServerOptions = {}): Promise<TappedService> {
    const server = new WebSocketServer({ host: '127.0.0.1', port: 0, maxPayload: MAX_MESSAGE_BYTES, ...options });
    await once(server, 'listening');
    server.on('connection', echo);
    this.#resources.defer(async () => {
      for (const client of server.clients) client.terminate();
      await new Promise((resolve) => server.close(resolve));
    });
    return await this.#map(prefix, (server.address() as AddressInfo).port); // listening on TCP: never a pipe name
  }

  async serveRaw(prefix: string): Promise<TappedService & { service: RawWebSocketService }> {
    const service = this.#resources.use(await startRawWebSocketService());
    return { service, ...(await this.#map(prefix, service.port)) };
  }

  async #map(prefix: string, port: number): Promise<TappedService> {
    const tap = this.#resources.use(await Tap.start(port));
    const mapping = await this.#client.createMapping({
      router: this.#device.id,
      kind: 'http',
      prefix,
      target: `http://127.0.0.1:${tap.port}`,
      policy: 'public',
    });
    const { http } = this.product.ports;
    const host = `${mapping.domain}:${http}`;
    // A local response of the relay, so that the service receives nothing.
    await waitFor(`the relay knows ${host}`, 30_000, async () => {
      const { status } = await request({ port: http, path: '/.tongtu/verify', host });
      return status !== 404;
    });
    return { host, tap };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#resources.disposeAsync();
  }
}

/** Echoes the received bytes unchanged. */
export function echo(socket: WebSocket): void {
  socket.on('message', (message, isBinary) => socket.send(message, { binary: isBinary }));
  socket.on('error', () => {}); // the other side gets a Close
}
