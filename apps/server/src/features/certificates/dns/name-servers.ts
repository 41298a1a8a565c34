import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { canonicalAddress } from '@tongtu/base';

const TIMEOUT_MS = 2_000;
const TRIES = 2;
const MAX_AUTHORITATIVE_SERVERS = 4;
const DNS_PORT = 53;

export type NameServersOptions = {
  /** Resolvers, as `address` or `address:port`; empty: those of this machine. */
  resolvers: string[];
  /** The port of authoritative servers; undefined: only the resolvers are asked. */
  authoritativePort: number | undefined;
};

/** Opens them with the resolvers of the operator's choice, or with those of this machine and the authoritative servers. */
export function openNameServers(resolvers: string[]): NameServers {
  return new NameServers({ resolvers, authoritativePort: resolvers.length > 0 ? undefined : DNS_PORT });
}

/** Looks names up at resolvers and at the authoritative servers of their zone. */
export class NameServers {
  readonly #options: NameServersOptions;

  constructor(options: NameServersOptions) {
    this.#options = options;
  }

  /** False only when DNS says that the name has no address. True when no server answers. */
  async mayHaveAddress(name: string): Promise<boolean> {
    const resolver = this.#open(this.#options.resolvers);
    const found = await Promise.all([resolver.resolve4(name).catch(codeOf), resolver.resolve6(name).catch(codeOf)]);
    return found.some((answer) => (typeof answer === 'string' ? !isNotFound(answer) : answer.length > 0));
  }

  /** The addresses of a name, of IPv4 and IPv6; an address is its own. Empty where DNS has none or does not answer. */
  async addressesOf(name: string): Promise<string[]> {
    if (isIP(name) !== 0) return [name];
    return await queryAddresses(this.#open(this.#options.resolvers), name);
  }

  /** Where the name's CNAME record leads, when it has one. */
  async aliasOf(name: string): Promise<string | undefined> {
    return await queryAlias(this.#open(this.#options.resolvers), name);
  }

  /** The records at the authoritative servers, which do not know the zone that a CNAME record leads to. */
  async authoritativeRecordsOf(name: string): Promise<{ alias: string | undefined; addresses: string[] }> {
    const servers = (await this.#findAuthoritativeServers(name)).slice(0, MAX_AUTHORITATIVE_SERVERS);
    if (servers.length === 0) return { alias: undefined, addresses: [] };
    const resolver = this.#open(servers);
    const [alias, addresses] = await Promise.all([queryAlias(resolver, name), queryAddresses(resolver, name)]);
    return { alias, addresses };
  }

  /**
   * Whether every authoritative server has these TXT values. Unreachable servers are ignored; when all are unreachable,
   * the resolvers are asked.
   */
  async allHaveTxt(name: string, values: string[]): Promise<boolean> {
    const authoritative = await this.#findAuthoritativeServers(name);
    const answers = await Promise.all(authoritative.map(async (server) => await this.#queryTxt([server], name)));
    const answered = answers.filter((answer) => answer !== undefined);
    if (answered.length === 0) answered.push((await this.#queryTxt(this.#options.resolvers, name)) ?? []);
    return answered.every((texts) => values.every((value) => texts.includes(value)));
  }

  async #queryTxt(servers: string[], name: string): Promise<string[] | undefined> {
    try {
      const records = await this.#open(servers).resolveTxt(name);
      return records.map((parts) => parts.join(''));
    } catch (error) {
      return isNotFound(codeOf(error)) ? [] : undefined;
    }
  }

  /** The addresses of the authoritative servers of the closest zone above the name. */
  async #findAuthoritativeServers(name: string): Promise<string[]> {
    const { resolvers, authoritativePort } = this.#options;
    if (authoritativePort === undefined) return [];
    const resolver = this.#open(resolvers);
    for (let zone = name; zone.includes('.'); zone = zone.slice(zone.indexOf('.') + 1)) {
      const servers = await resolver.resolveNs(zone).catch(() => []);
      if (servers.length === 0) continue;
      const none = (): string[] => [];
      const v4 = await Promise.all(servers.map(async (server) => await resolver.resolve4(server).catch(none)));
      const v6 = await Promise.all(servers.map(async (server) => await resolver.resolve6(server).catch(none)));
      return [
        ...v4.flat().map((ip) => `${ip}:${authoritativePort}`),
        ...v6.flat().map((ip) => `[${ip}]:${authoritativePort}`),
      ];
    }
    return [];
  }

  #open(servers: string[]): Resolver {
    const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });
    if (servers.length > 0) resolver.setServers(servers);
    return resolver;
  }
}

async function queryAddresses(resolver: Resolver, name: string): Promise<string[]> {
  const none = (): string[] => [];
  const found = await Promise.all([resolver.resolve4(name).catch(none), resolver.resolve6(name).catch(none)]);
  return found.flat().map(canonicalAddress);
}

async function queryAlias(resolver: Resolver, name: string): Promise<string | undefined> {
  const [alias] = await resolver.resolveCname(name).catch(() => []);
  return alias?.toLowerCase().replace(/\.$/, '');
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'EUNKNOWN';
}

function isNotFound(code: string): boolean {
  return code === 'ENOTFOUND' || code === 'ENODATA';
}
