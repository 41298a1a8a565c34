/** The origin of an absolute URL: a scheme, and a host with port as in a Host field. */
export type Origin = { scheme: 'http' | 'https'; authority: string };

const ADDRESS = /^(?:(https?):)?\/\/([^/?#\\]*)([/?#].*)?$/i;
const REFRESH = /^([0-9.]+[ \t]*[;,][ \t]*(?:url[ \t]*=[ \t]*)?["']?)(.*)$/i;
const DEFAULT_PORTS = { http: /:80$/, https: /:443$/ };

/**
 * For a service with a rewritten Host: in requests, URLs of the public origin become the service's own (its CSRF checks
 * compare them with the Host); in answers, its own become public.
 */
export class OriginRewrite {
  readonly #shown: Origin;
  readonly #target: Origin;

  constructor(shown: Origin, target: Origin) {
    this.#shown = shown;
    this.#target = target;
  }

  get hostField(): string {
    return this.#target.authority;
  }

  /** A field of a request; `key` is its name in lower case. */
  requestValue(key: string, value: string): string {
    // WebDAV services compare Destination with the Host, too.
    const isAddress = key === 'origin' || key === 'referer' || key === 'destination';
    return isAddress ? moved(value, this.#shown, this.#target) : value;
  }

  /** A field of an answer. Only what is certainly a URL is changed. */
  responseValue(key: string, value: string): string {
    switch (key) {
      case 'location':
      case 'content-location':
      case 'access-control-allow-origin':
        return moved(value, this.#target, this.#shown);
      case 'refresh': {
        const parts = REFRESH.exec(value);
        return parts === null ? value : `${parts[1]}${moved(parts[2] ?? '', this.#target, this.#shown)}`;
      }
      default:
        return value;
    }
  }
}

/** The URL at the other origin; anything that is not below `from` stays unchanged. */
function moved(address: string, from: Origin, to: Origin): string {
  const match = ADDRESS.exec(address);
  if (match === null) return address;
  const [, scheme, authority = '', rest = ''] = match;
  if (scheme !== undefined && scheme.toLowerCase() !== from.scheme) return address;
  if (plainAuthority(authority, from.scheme) !== plainAuthority(from.authority, from.scheme)) return address;
  return `${scheme === undefined ? '' : `${to.scheme}:`}//${to.authority}${rest}`;
}

function plainAuthority(authority: string, scheme: 'http' | 'https'): string {
  return authority.toLowerCase().replace(DEFAULT_PORTS[scheme], '');
}
