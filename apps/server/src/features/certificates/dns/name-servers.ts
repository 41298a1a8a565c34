import { Resolver } from 'node:dns/promises';

const TIMEOUT_MS = 2_000;
const TRIES = 2;

export type NameServersOptions = {
  /** Resolvers, as `address` or `address:port`; empty: those of this machine. */
  resolvers: string[];
  /** The port of authoritative servers; undefined: only the resolvers are asked. */
  authoritativePort: number | undefined;
};

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

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'EUNKNOWN';
}

function isNotFound(code: string): boolean {
  return code === 'ENOTFOUND' || code === 'ENODATA';
}
