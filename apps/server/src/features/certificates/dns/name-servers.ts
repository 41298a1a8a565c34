import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { canonicalAddress } from '@tongtu/base';

const TIMEOUT_MS = 2_000;
const TRIES = 2;
const MAX_ASKED_HOLDERS = 4;
const DNS_PORT = 53;

export type NameServersOptions = {
  /** Resolvers, as `address` or `address:port`; empty: those of this machine. */
  resolvers: string[];
  /** Where the servers that hold a zone listen; undefined: they are not asked, the resolvers' word counts. */
  holderPort: number | undefined;
};

/** With resolvers of the operator's choice their word counts; else the servers that hold a zone are asked as well. */
export function openNameServers(resolvers: string[]): NameServers {
  return new NameServers({ resolvers, holderPort: resolvers.length > 0 ? undefined : DNS_PORT });
}

/** What DNS says of a name: to the world, and at the servers that hold its zone. */
export class NameServers {
  readonly #options: NameServersOptions;

  constructor(options: NameServersOptions) {
    this.#options = options;
  }

  /** False only when DNS says that the name has no address; a server that does not answer proves nothing. */
  async mayHaveAddress(name: string): Promise<boolean> {
    const resolver = this.#open(this.#options.resolvers);
    const found = await Promise.all([resolver.resolve4(name).catch(codeOf), resolver.resolve6(name).catch(codeOf)]);
    return found.some((answer) => (typeof answer === 'string' ? !isNothingThere(answer) : answer.length > 0));
  }

  /** The addresses of a name, of IPv4 and IPv6; an address is its own. Empty where DNS has none or does not answer. */
  async addressesOf(name: string): Promise<string[]> {
    if (isIP(name) !== 0) return [name];
    return await askAddresses(this.#open(this.#options.resolvers), name);
  }

  /** Where the name's CNAME record leads, when it has one. */
  async aliasOf(name: string): Promise<string | undefined> {
    return await askAlias(this.#open(this.#options.resolvers), name);
  }

  /** What the servers that hold the name say of it; they know nothing of the zone that a CNAME record leads to. */
  async heldRecordsOf(name: string): Promise<{ alias: string | undefined; addresses: string[] }> {
    const holders = (await this.#holdersOf(name)).slice(0, MAX_ASKED_HOLDERS);
    if (holders.length === 0) return { alias: undefined, addresses: [] };
    const resolver = this.#open(holders);
    const [alias, addresses] = await Promise.all([askAlias(resolver, name), askAddresses(resolver, name)]);
    return { alias, addresses };
  }

  /**
   * Whether every server that holds the name has these TXT values. Servers that cannot be reached are left out; when
   * none can, the resolvers are asked.
   */
  async haveTxt(name: string, values: string[]): Promise<boolean> {
    const holders = await this.#holdersOf(name);
    const answers = await Promise.all(holders.map(async (server) => await this.#askTxt([server], name)));
    const heard = answers.filter((answer) => answer !== undefined);
    if (heard.length === 0) heard.push((await this.#askTxt(this.#options.resolvers, name)) ?? []);
    return heard.every((texts) => values.every((value) => texts.includes(value)));
  }

  async #askTxt(servers: string[], name: string): Promise<string[] | undefined> {
    try {
      const records = await this.#open(servers).resolveTxt(name);
      return records.map((parts) => parts.join(''));
    } catch (error) {
      return isNothingThere(codeOf(error)) ? [] : undefined;
    }
  }

  /** Addresses of the servers of the closest zone above the name. */
  async #holdersOf(name: string): Promise<string[]> {
    const { resolvers, holderPort } = this.#options;
    if (holderPort === undefined) return [];
    const resolver = this.#open(resolvers);
    for (let zone = name; zone.includes('.'); zone = zone.slice(zone.indexOf('.') + 1)) {
      const servers = await resolver.resolveNs(zone).catch(() => []);
      if (servers.length === 0) continue;
      const none = (): string[] => [];
      const v4 = await Promise.all(servers.map(async (server) => await resolver.resolve4(server).catch(none)));
      const v6 = await Promise.all(servers.map(async (server) => await resolver.resolve6(server).catch(none)));
      return [...v4.flat().map((ip) => `${ip}:${holderPort}`), ...v6.flat().map((ip) => `[${ip}]:${holderPort}`)];
    }
    return [];
  }

  #open(servers: string[]): Resolver {
    const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });
    if (servers.length > 0) resolver.setServers(servers);
    return resolver;
  }
}

async function askAddresses(resolver: Resolver, name: string): Promise<string[]> {
  const none = (): string[] => [];
  const found = await Promise.all([resolver.resolve4(name).catch(none), resolver.resolve6(name).catch(none)]);
  return found.flat().map(canonicalAddress);
}

async function askAlias(resolver: Resolver, name: string): Promise<string | undefined> {
  const [alias] = await resolver.resolveCname(name).catch(() => []);
  return alias?.toLowerCase().replace(/\.$/, '');
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'EUNKNOWN';
}

function isNothingThere(code: string): boolean {
  return code === 'ENOTFOUND' || code === 'ENODATA';
}
