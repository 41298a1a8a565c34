import { once } from 'node:events';
import http, { type IncomingMessage } from 'node:http';
import { Device, Mapping, pageOf, ProfileList, type MappingCreate, type Profile } from '@tongtu/contract';
import { must, parseJson } from '@tongtu/base';
import { request, type HttpReply } from './http-request.ts';
import { adminPassword, type Product } from '../product/product.ts';
import { waitFor } from '../wait-for.ts';

export type ApiReply = { status: number; json: unknown; headers: HttpReply['headers']; text: string };
type Headers = Record<string, string | undefined>;

const DevicePage = pageOf(Device);

/** Calls the API as the console does: stores cookies, sends the CSRF header and the browser's same-origin headers. */
export class ApiClient {
  readonly #port: number;
  readonly #cookies = new Map<string, string>();

  constructor(product: Product) {
    this.#port = product.ports.http;
  }

  /** `body` is sent as JSON, a string as it is; a header given as undefined is left out. */
  async call(method: string, path: string, body?: unknown, headers: Headers = {}): Promise<ApiReply> {
    const reply = await request({
      port: this.#port,
      method,
      path,
      headers: this.#headers(body !== undefined, headers),
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    for (const cookie of reply.headers['set-cookie'] ?? []) this.#keep(cookie);
    const text = reply.body.toString();
    return { status: reply.status, headers: reply.headers, text, json: parseJson(text) };
  }

  /** Its cookies, as a browser takes them. */
  browserCookies(): { name: string; value: string; url: string }[] {
    return [...this.#cookies].map(([name, value]) => ({ name, value, url: `http://localhost:${this.#port}` }));
  }

  /** Sets a cookie that no answer has set. */
  plant(name: string, value: string): void {
    this.#cookies.set(name, value);
  }

  async openSession(account = 'admin', password = adminPassword): Promise<void> {
    await this.call('GET', '/api/profile/');
    const reply = await this.call('POST', '/custom/login/', { account, password });
    if (reply.status !== 200) throw new Error(`login answered ${reply.status}: ${reply.text}`);
  }

  async logIn(account = 'admin', password = adminPassword): Promise<Profile> {
    await this.openSession(account, password);
    const [profile] = ProfileList.parse((await this.call('GET', '/api/profile/')).json);
    if (!profile) throw new Error('logged in, but there is no profile');
    return profile;
  }

  async devices(): Promise<Device[]> {
    return DevicePage.parse((await this.call('GET', '/api/user/routers/?limit=100&offset=0')).json).results;
  }

  async waitForDevice(what: string, isWanted: (device: Device) => boolean, timeoutMs = 30_000): Promise<Device> {
    return await waitFor(what, timeoutMs, async () => (await this.devices()).find(isWanted));
  }

  /** The product's own agent, with the mapping that a first start makes for it. */
  async waitForWelcomeDevice(): Promise<{ device: Device; welcome: Mapping }> {
    const isReady = ({ online, mappings }: Device) => online && mappings.length > 0;
    const device = await this.waitForDevice('the local device is online and mapped', isReady);
    return { device, welcome: must(device.mappings[0], 'the welcome mapping') };
  }

  async createMapping(mapping: MappingCreate): Promise<Mapping> {
    const reply = await this.call('POST', '/api/user/records/', mapping);
    if (reply.status !== 201) throw new Error(`the mapping was answered ${reply.status}: ${reply.text}`);
    return Mapping.parse(reply.json);
  }

  /** The event stream of an open page; it goes on until either side ends it. */
  async openEvents(): Promise<IncomingMessage> {
    const options = {
      host: '127.0.0.1',
      port: this.#port,
      path: '/api/user/events/',
      headers: { ...this.#headers(false, {}), host: `localhost:${this.#port}` },
    };
    const [response] = (await once(http.get({ ...options, agent: false }), 'response')) as [IncomingMessage];
    if (response.statusCode !== 200) throw new Error(`the events were answered ${response.statusCode}`);
    return response.resume().on('error', () => undefined); // cut at the end of a test
  }

  #headers(hasBody: boolean, extra: Headers): Record<string, string> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const all: Headers = {
      ...(cookie ? { cookie } : {}),
      ...(hasBody ? { 'content-type': 'application/json' } : {}),
      'x-csrftoken': this.#cookies.get(extra['x-forwarded-proto'] === 'https' ? '__Host-csrftoken' : 'csrftoken'),
      origin: `http://localhost:${this.#port}`,
      'sec-fetch-site': 'same-origin',
      ...extra,
    };
    return Object.fromEntries(Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined));
  }

  #keep(cookie: string): void {
    const [pair = ''] = cookie.split(';');
    const [name = '', ...value] = pair.split('=');
    this.#cookies.set(name, value.join('='));
  }
}
