import { mapResourceTags } from './resource-tags.ts';

export type Scheme = 'http' | 'https';
/** The origin of an absolute URL: a scheme, and a host with port as in a Host field. */
export type Origin = { scheme: Scheme; authority: string };

export type OriginRules = {
  /** What the visitor sees. */
  shown: Origin;
  /** What the service is sent in Host and forwarded fields. */
  sent: Origin;
  /** What the shown origin becomes in Origin and Referer; undefined: these are kept. */
  ofPages: Origin | undefined;
  /** The scheme that a WebDAV service compares with Destination. */
  davScheme: Scheme;
  /** Origins that become the shown one in answers. Most answers name none, so they are made when one does. */
  inAnswers: () => readonly Origin[];
  /** Whether an address of these origins in a field of an answer stays as it is all the same. */
  staysInAnswers?: (field: { key: string; address: string }) => boolean;
};

const ADDRESS = /^(?:(https?):)?\/\/([^/?#\\]*)([/?#].*)?$/i;
const REFRESH = /^([0-9.]+[ \t]*[;,][ \t]*(?:url[ \t]*=[ \t]*)?["']?)(.*)$/i;
const DEFAULT_PORTS = { http: /:80$/, https: /:443$/ };

/**
 * For a service that sees another origin than its visitor: in requests, URLs of the public origin become the
 * service's own (its CSRF checks compare them with the Host); in answers, its own become public.
 */
export class OriginRewrite {
  readonly #rules: OriginRules;

  constructor(rules: OriginRules) {
    this.#rules = rules;
  }

  get hostField(): string {
    return this.#rules.sent.authority;
  }

  /** A field of a request; `key` is its name in lower case. */
  requestValue(key: string, value: string): string {
    switch (key) {
      case 'origin':
      case 'referer': {
        const { shown, ofPages } = this.#rules;
        return ofPages === undefined ? value : moved(value, shown, ofPages);
      }
      case 'destination':
        return this.#davAddress(value);
      case 'if':
        return mapResourceTags(value, (address) => this.#davAddress(address));
      default:
        return value;
    }
  }

  /** A field of an answer. Only what is certainly a URL is changed. */
  responseValue(key: string, value: string): string {
    switch (key) {
      case 'location':
      case 'content-location':
      case 'access-control-allow-origin':
        return this.#shownAddress(key, value);
      case 'refresh': {
        const parts = REFRESH.exec(value);
        return parts === null ? value : `${parts[1]}${this.#shownAddress(key, parts[2] ?? '')}`;
      }
      default:
        return value;
    }
  }

  /** A WebDAV client may name either scheme: it decides nothing here. */
  #davAddress(address: string): string {
    const { shown, sent, davScheme } = this.#rules;
    const to = { scheme: davScheme, authority: sent.authority };
    const authority = plainAuthority(shown.authority, shown.scheme);
    for (const scheme of ['https', 'http'] as const) {
      const result = moved(address, { scheme, authority }, to);
      if (result !== address) return result;
    }
    return address;
  }

  #shownAddress(key: string, address: string): string {
    const { shown, inAnswers, staysInAnswers } = this.#rules;
    if (!ADDRESS.test(address)) return address;
    for (const origin of inAnswers()) {
      const result = moved(address, origin, shown);
      if (result !== address) return staysInAnswers?.({ key, address }) === true ? address : result;
    }
    return address;
  }
}

export function isSameOrigin(a: Origin, b: Origin): boolean {
  return a.scheme === b.scheme && plainAuthority(a.authority, a.scheme) === plainAuthority(b.authority, b.scheme);
}

/** The URL at the other origin; anything that is not below `from` stays unchanged, byte for byte. */
function moved(address: string, from: Origin, to: Origin): string {
  if (isSameOrigin(from, to)) return address;
  const match = ADDRESS.exec(address);
  if (match === null) return address;
  const [, scheme, authority = '', rest = ''] = match;
  if (scheme !== undefined && scheme.toLowerCase() !== from.scheme) return address;
  if (plainAuthority(authority, from.scheme) !== plainAuthority(from.authority, from.scheme)) return address;
  return `${scheme === undefined ? '' : `${to.scheme}:`}//${to.authority}${rest}`;
}

function plainAuthority(authority: string, scheme: Scheme): string {
  return authority.toLowerCase().replace(DEFAULT_PORTS[scheme], '');
}
