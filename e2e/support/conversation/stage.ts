import { setTimeout as pause } from 'node:timers/promises';
import { must } from '@tongtu/base';
import { ApiClient } from '../clients/api-client.ts';
import { startProduct, type Product } from '../product/product.ts';
import { waitFor } from '../wait-for.ts';
import { Http1Visitor } from './http1-visitor.ts';
import { Http2Visitor } from './http2-visitor.ts';
import { RecordingService } from './recording-service.ts';
import type { ScriptedVisitor } from './scripted-visitor.ts';
import type { ServiceName } from './steps.ts';

export type Protocol = 'HTTP/1.1' | 'HTTP/2';

/** How long a round waits before the next round tries the remaining connections. */
const CLOSED_WITHIN_MS = 200;
const SETTLE = 'GET /settle HTTP/1.1';
export const PREFIXES = { first: 'stage-first', second: 'stage-second', rewriting: 'stage-rewriting' };

/** The product with two recording services, for conversations. */
export class Stage implements AsyncDisposable {
  readonly product: Product;
  readonly services: Record<ServiceName, RecordingService>;
  readonly #resources: AsyncDisposableStack;
  #hopId = '';

  private constructor(
    product: Product,
    services: Record<ServiceName, RecordingService>,
    resources: AsyncDisposableStack,
  ) {
    this.product = product;
    this.services = services;
    this.#resources = resources;
  }

  /** `sites`: ports of further services by the prefix of their mapping. */
  static async open({ sites }: { sites: Record<string, number> }): Promise<Stage> {
    await using starting = new AsyncDisposableStack();
    const product = starting.use(await startProduct());
    const first = starting.use(await RecordingService.start());
    const second = starting.use(await RecordingService.start());
    const client = new ApiClient(product);
    await client.logIn();
    const { device } = await client.waitForWelcomeDevice();
    const map = async (prefix: string, port: number, hostHeader: 'keep' | 'rewrite') =>
      await client.createMapping({
        router: device.id,
        kind: 'http',
        prefix,
        target: `http://127.0.0.1:${port}`,
        policy: 'public',
        host_header: hostHeader,
      });
    for (const [prefix, port] of Object.entries(sites)) await map(prefix, port, 'keep');
    await map(PREFIXES.first, first.port, 'keep');
    await map(PREFIXES.second, second.port, 'keep');
    await map(PREFIXES.rewriting, first.port, 'rewrite');
    const stage = new Stage(product, { first, second }, starting.move());
    await stage.#learnHopId();
    return stage;
  }

  async connect(protocol: Protocol, prefix: string = PREFIXES.first): Promise<ScriptedVisitor> {
    const { ports } = this.product;
    if (protocol === 'HTTP/1.1') return await Http1Visitor.connect(ports.http);
    return await Http2Visitor.connect(ports.tls, `${prefix}.localhost`);
  }

  /** Replaces the placeholders of steps.ts. */
  fill(text: string, visitor: ScriptedVisitor): string {
    const { ports } = this.product;
    const port = visitor.scheme === 'http' ? ports.http : ports.tls;
    return text
      .replaceAll('{host}', `${PREFIXES.first}.localhost:${port}`)
      .replaceAll('{second}', `${PREFIXES.second}.localhost:${port}`)
      .replaceAll('{rewriting}', `${PREFIXES.rewriting}.localhost:${port}`)
      .replaceAll('{target}', `127.0.0.1:${this.services.first.port}`)
      .replaceAll('{scheme}', visitor.scheme)
      .replaceAll(/\{added ([^}]*)\}/g, (_, host: string) =>
        this.#added(host, host.startsWith('127.0.0.1:') ? 'http' : visitor.scheme),
      );
  }

  /**
   * Closes all connections to the services, so that the next conversation uses new ones. Returns the bytes that no step
   * has taken.
   */
  async settle(): Promise<string[]> {
    const services = Object.values(this.services);
    const leftOver = services.flatMap((service) => service.unread);
    for (const service of services) service.beginDismissing();
    await waitFor('connections to the services are closed', 30_000, async () => {
      for (const prefix of Object.values(PREFIXES)) await this.#settle(prefix);
      // Each round opens its own connections. They must be closed before they are counted and before the next round.
      await Promise.race([Promise.all(services.map((service) => service.whenClosed())), pause(CLOSED_WITHIN_MS)]);
      return !services.some((service) => service.hasOpenConnections);
    });
    const late = services.flatMap((service) => service.endDismissing());
    return [...leftOver, ...late.filter((text) => !text.startsWith(SETTLE))];
  }

  async #settle(prefix: string): Promise<void> {
    const visitor = await Http1Visitor.connect(this.product.ports.http);
    visitor.say(`${SETTLE}\r\nHost: ${prefix}.localhost\r\nConnection: close\r\n\r\n`);
    await visitor.receiveEnding();
    visitor.leave();
  }

  async #learnHopId(): Promise<void> {
    const visitor = await Http1Visitor.connect(this.product.ports.http);
    await waitFor('the mappings are known to the relay', 30_000, () => {
      visitor.say(`GET / HTTP/1.1\r\nHost: ${PREFIXES.rewriting}.localhost\r\n\r\n`);
      return this.services.first.unread.length > 0;
    });
    const [text = ''] = this.services.first.unread;
    this.#hopId = must(/^CDN-Loop: (tongtu-[0-9a-f]{16})\r$/m.exec(text)?.[1], 'what the relay calls itself');
    visitor.leave();
    const connection = await this.services.first.whereSomethingArrives();
    await connection.received.take(text);
    await this.settle();
  }

  #added(host: string, scheme: string): string {
    const port = must(host.split(':')[1], 'the port in the Host field');
    return [
      `CDN-Loop: ${this.#hopId}`,
      `Forwarded: for=127.0.0.1;proto=${scheme}`,
      'X-Forwarded-For: 127.0.0.1',
      `X-Forwarded-Proto: ${scheme}`,
      `X-Forwarded-Host: ${host}`,
      `X-Forwarded-Port: ${port}`,
      'X-Real-IP: 127.0.0.1',
    ].join('\r\n');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#resources.disposeAsync();
  }
}
