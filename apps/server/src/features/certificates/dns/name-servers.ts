import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { canonicalAddress } from '@tongtu/base';
import { type AllowedAddresses, isAddressAllowed } from '../../../http/public-address.ts';

const TIMEOUT_MS = 2_000;
const TRIES = 2;
/** Of the zone of a name that a user chose; the zone may name any servers. */
const USER_ZONE_MAX_SERVERS = 4;
/** Of the operator's zone. */
const OWN_ZONE_MAX_SERVERS = 16;
/** Zones with more labels are not looked for. */
const MAX_ZONE_LABELS = 8;
const DNS_PORT = 53;

export type NameServersOptions = {
  /** Resolvers, as `address` or `address:port`; empty: those of this machine. */
  resolvers: string[];
  /** The port of authoritative servers; undefined: only the resolvers are asked. */
  authoritativePort: number | undefined;
  /** A user could name any zone, so only its servers with public addresses are asked. */
  mayAsk: AllowedAddresses;
};

/** Opens them with the resolvers of the operator's choice, or with those of this machine and the authoritative servers. */
export function openNameServers(resolvers: string[]): NameServers {
  const authoritativePort = resolvers.length > 0 ? undefined : DNS_PORT;
  return new NameServers({ resolvers, authoritativePort, mayAsk: 'public' });
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

  /**
   * The records of a name that a user chose, at the authoritative servers, which do not know the zone that a CNAME
   * record leads to.
   */
  async authoritativeRecordsOf(name: string): Promise<{ alias: string | undefined; addresses: string[] }> {
    const limits = { maxServers: USER_ZONE_MAX_SERVERS, mayAsk: this.#options.mayAsk };
    const servers = (await this.#findAuthoritativeServers(name, limits)).slice(0, USER_ZONE_MAX_SERVERS);
    if (servers.length === 0) return { alias: undefined, addresses: [] };
    const resolver = this.#open(servers);
    const [alias, addresses] = await Promise.all([queryAlias(resolver, name), queryAddresses(resolver, name)]);
    return { alias, addresses };
  }

  /**
   * Whether every authoritative server of the operator's zone has these TXT values. Unreachable servers are ignored; when all are unreachable,
   * the resolvers are asked.
   */
  async allHaveTxt(name: string, values: string[]): Promise<boolean> {
    // The operator's zone may be internal.
    const limits = { maxServers: OWN_ZONE_MAX_SERVERS, mayAsk: 'any' as const };
    const authoritative = await this.#findAuthoritativeServers(name, limits);
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
  async #findAuthoritativeServers(
    name: string,
    { maxServers, mayAsk }: { maxServers: number; mayAsk: AllowedAddresses },
  ): Promise<string[]> {
    const { resolvers, authoritativePort } = this.#options;
    if (authoritativePort === undefined) return [];
    const resolver = this.#open(resolvers);
    const none = (): string[] => [];
    // All at once, so that zones whose servers do not answer take the time of one.
    const found = await Promise.all(zonesAbove(name).map(async (zone) => await resolver.resolveNs(zone).catch(none)));
    const servers = (found.find(({ length }) => length > 0) ?? []).slice(0, maxServers);
    const v4 = await Promise.all(servers.map(async (server) => await resolver.resolve4(server).catch(none)));
    const v6 = await Promise.all(servers.map(async (server) => await resolver.resolve6(server).catch(none)));
    return [...v4.flat(), ...v6.flat()]
      .filter((ip) => isAddressAllowed(ip, mayAsk))
      .map((ip) => `${isIP(ip) === 6 ? `[${ip}]` : ip}:${authoritativePort}`);
  }

  #open(servers: string[]): Resolver {
    const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });
    if (servers.length > 0) resolver.setServers(servers);
    return resolver;
  }
}

/** The zones that may hold the name, the closest first, without top-level domains. */
function zonesAbove(name: string): string[] {
  const labels = name.split('.').slice(-MAX_ZONE_LABELS);
  return labels.slice(0, -1).map((_label, index) => labels.slice(index).join('.'));
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
