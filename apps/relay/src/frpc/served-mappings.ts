import { randomBytes } from 'node:crypto';
import type { FrpcProxy } from '@tongtu/contract';
import type { HttpRules, OpenRequest } from '@tongtu/tunnel';
import type { TomlProxy } from './read-toml-proxy.ts';
import { tomlRefusals } from './refusals.ts';

/** Of one mapping, as JSON: another relay process gets them in one message. */
const MAX_RULES_LENGTH = 64 * 1024;
/** Of all mappings of a device: each other relay process keeps them. */
const MAX_TOTAL_LENGTH = 1024 * 1024;

export type ServedProxy = TomlProxy & {
  /** The name in the file. */
  name: string;
  /** Names it in the rules for HTTP and in open requests. Another one each time it is added. */
  key: string;
  mappingIds: readonly number[];
};

export type ServedMappingsDeps = {
  /** From now on a mapping is served by other proxies, or in another way. */
  onChanged: (mappingId: number) => void;
  /** Whether the mapping's route says what another proxy wants. */
  isGuest: (mappingId: number, proxy: FrpcProxy) => boolean;
};

/** Which proxies of a frpc.toml serve which mapping: most of them one each, some a part of one, or by turns. */
export class ServedMappings {
  readonly httpRules = new Map<number, HttpRules>();
  readonly #proxies = new Map<string, ServedProxy>();
  readonly #byMapping = new Map<number, ServedProxy[]>();
  /** Of the rules of each mapping. */
  readonly #lengths = new Map<number, number>();
  readonly #deps: ServedMappingsDeps;

  constructor(deps: ServedMappingsDeps) {
    this.#deps = deps;
  }

  get count(): number {
    return this.#proxies.size;
  }

  find(name: string): ServedProxy | undefined {
    return this.#proxies.get(name);
  }

  /** The mappings that other proxies serve: all, except those that the proxy alone may change. */
  mappingsOfOthers(proxy: TomlProxy): number[] {
    const others = [...this.#proxies.values()].filter((other) => other.proxy.name !== proxy.proxy.name);
    return [...new Set(others.flatMap(({ mappingIds }) => mappingIds))];
  }

  /** Returns why not. */
  add(name: string, proxy: TomlProxy, mappingIds: readonly number[]): string | undefined {
    this.remove(name);
    const added = { ...proxy, name, key: randomBytes(8).toString('hex'), mappingIds };
    let total = [...this.#lengths.values()].reduce((sum, length) => sum + length, 0);
    for (const mappingId of mappingIds) {
      const others = this.#byMapping.get(mappingId) ?? [];
      if (others.some((other) => isConflict(other, added))) return tomlRefusals.sameLocation;
      const length = lengthOf(this.#rulesOf(mappingId, [...others, added]));
      total += length - (this.#lengths.get(mappingId) ?? 0);
      if (length > MAX_RULES_LENGTH || total > MAX_TOTAL_LENGTH) return tomlRefusals.rulesTooLong;
    }
    this.#proxies.set(name, added);
    for (const mappingId of mappingIds) this.#serve(mappingId, [...(this.#byMapping.get(mappingId) ?? []), added]);
    return undefined;
  }

  remove(name: string): void {
    const removed = this.#proxies.get(name);
    if (removed === undefined) return;
    this.#proxies.delete(name);
    for (const mappingId of removed.mappingIds) {
      const left = (this.#byMapping.get(mappingId) ?? []).filter((other) => other !== removed);
      this.#serve(mappingId, left);
    }
  }

  /** Why a proxy cannot join its group; undefined also without one. */
  groupRefusal(name: string, { group, proxy, http }: TomlProxy): string | undefined {
    if (group === undefined) return undefined;
    const shape = (one: Pick<TomlProxy, 'group' | 'proxy' | 'http'>) =>
      JSON.stringify([
        ...[one.group, { ...one.proxy, hostRewrite: '' }],
        ...[one.http?.pathPrefixes, one.http?.user, one.http?.login],
      ]);
    const others = [...this.#proxies.values()].filter((other) => other.name !== name);
    const isFit = others.every(
      (other) => other.proxy.name !== proxy.name || shape(other) === shape({ group, proxy, http }),
    );
    return isFit ? undefined : tomlRefusals.groupDiffers;
  }

  /** The proxy for a stream. `unnamed`: the mapping has rules, and the request does not name one of their targets now. */
  findFor({ mappingId, host }: Pick<OpenRequest, 'mappingId' | 'host'>): ServedProxy | 'unnamed' | undefined {
    const serving = this.#byMapping.get(mappingId);
    if (serving === undefined) return undefined;
    if (this.httpRules.has(mappingId)) return serving.find(({ key }) => key === host) ?? 'unnamed';
    const [next, ...others] = serving;
    if (next !== undefined && others.length > 0) this.#byMapping.set(mappingId, [...others, next]);
    return next;
  }

  /** One that serves it, for a probe: that of the visitors by https, if there is one. */
  findAny(mappingId: number): ServedProxy | undefined {
    const serving = this.#byMapping.get(mappingId) ?? [];
    return serving.find(({ http }) => http?.isForHttps === true) ?? serving[0];
  }

  #serve(mappingId: number, serving: ServedProxy[]): void {
    if (serving.length === 0) this.#byMapping.delete(mappingId);
    else this.#byMapping.set(mappingId, serving);
    const rules = this.#rulesOf(mappingId, serving);
    if (rules === undefined) {
      this.httpRules.delete(mappingId);
      this.#lengths.delete(mappingId);
    } else {
      this.httpRules.set(mappingId, rules);
      this.#lengths.set(mappingId, lengthOf(rules));
    }
    this.#deps.onChanged(mappingId);
  }

  /** Undefined where the routes say it all: for one proxy that serves every path and changes nothing. */
  #rulesOf(mappingId: number, serving: readonly ServedProxy[]): HttpRules | undefined {
    const targets = serving.flatMap(({ http, key }) => (http === undefined ? [] : [{ key, ...http }]));
    const [only] = targets;
    if (only === undefined) return undefined;
    const hasGuest = serving.some(({ proxy }) => this.#deps.isGuest(mappingId, proxy));
    return targets.length === 1 && isPlain(only) && !hasGuest ? undefined : { targets };
  }
}

/** As at frps: one path of a domain, for one user and by http or https, leads to one proxy or to one group. */
function isConflict(a: TomlProxy, b: TomlProxy): boolean {
  if (a.group !== undefined && a.proxy.name === b.proxy.name) return false;
  if (a.proxy.type !== b.proxy.type) return false;
  if (a.http === undefined || b.http === undefined) return true;
  const paths = new Set(a.http.pathPrefixes);
  return a.http.user === b.http.user && b.http.pathPrefixes.some((path) => paths.has(path));
}

function lengthOf(rules: HttpRules | undefined): number {
  return rules === undefined ? 0 : JSON.stringify(rules).length;
}

function isPlain(target: HttpRules['targets'][number]): boolean {
  const { pathPrefixes, user, login, requestFields, responseFields } = target;
  const isEveryPath = pathPrefixes.some((prefix) => prefix === '' || prefix === '/');
  return isEveryPath && user === '' && login === undefined && requestFields.length + responseFields.length === 0;
}
