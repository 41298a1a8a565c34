import type { HttpRules, HttpTarget } from '@tongtu/tunnel';
import { isSameSecret } from '../../access/is-same-secret.ts';
import { fieldValue } from '../../codecs/http/fields.ts';
import type { RequestHead } from '../../codecs/http/request-head.ts';

type Login = { user: string; password: string };
export type ChosenTarget =
  | { type: 'target'; target: HttpTarget }
  /** It asks for a name and a password; `isWrong`: those of the request are not its own. */
  | { type: 'login'; isWrong: boolean }
  | { type: 'none' };

const BASIC = /^basic +([A-Za-z0-9+/_-]+={0,2})$/i;

/**
 * The target of a request, as frps chooses it: the one for the user that the request names, else one for every user; of
 * these the one with the longest prefix of the path, and of several with the same prefix each in turn. `nextTurn` counts
 * up for each first one of several.
 */
export function chooseTarget(
  { targets }: HttpRules,
  { request, scheme }: { request: RequestHead; scheme: 'http' | 'https' },
  nextTurn: (first: HttpTarget) => number,
): ChosenTarget {
  const httpsTarget = scheme === 'https' ? targets.find(({ isForHttps }) => isForHttps) : undefined;
  if (httpsTarget !== undefined) return { type: 'target', target: httpsTarget };
  const login = readLogin(request);
  const path = decodedPath(request.target);
  const fitting = targets
    .filter(({ isForHttps }) => isForHttps !== true)
    .map((target) => ({ target, fit: longestFit(target, path) }))
    .filter(({ fit }) => fit !== undefined);
  const forUser =
    login === undefined ? [] : fitting.filter(({ target: { user } }) => user !== '' && user === login.user);
  const candidates = forUser.length > 0 ? forUser : fitting.filter(({ target: { user } }) => user === '');
  const longest = Math.max(...candidates.map(({ fit = 0 }) => fit));
  const best = candidates.filter(({ fit }) => fit === longest);
  const [first, ...others] = best;
  if (first === undefined) return { type: 'none' };
  const { target } = others.length === 0 ? first : (best[nextTurn(first.target) % best.length] ?? first);
  if (target.login === undefined || isSame(login, target.login)) return { type: 'target', target };
  return { type: 'login', isWrong: login !== undefined };
}

/** The length of the longest prefix that the path has. */
function longestFit({ pathPrefixes }: HttpTarget, path: string): number | undefined {
  const fits = pathPrefixes.filter((prefix) => path.startsWith(prefix)).map(({ length }) => length);
  return fits.length === 0 ? undefined : Math.max(...fits);
}

/** Whether a request names somebody by HTTP basic authentication. */
export function hasLogin(request: RequestHead): boolean {
  return readLogin(request) !== undefined;
}

/** RFC 7617, as latin1 of what was sent. */
function readLogin({ fields }: RequestHead): Login | undefined {
  const encoded = BASIC.exec(fieldValue(fields, 'authorization') ?? '')?.[1];
  const text = encoded === undefined ? '' : Buffer.from(encoded, 'base64').toString('latin1');
  const colon = text.indexOf(':');
  return colon < 0 ? undefined : { user: text.slice(0, colon), password: text.slice(colon + 1) };
}

/** In constant time: both are compared always. */
function isSame(given: Login | undefined, { user, password }: Login): boolean {
  const isUser = isSameSecret(given?.user ?? '', user);
  const isPassword = isSameSecret(given?.password ?? '', password);
  return given !== undefined && isUser && isPassword;
}

/** The path with its escapes decoded, in latin1. It is not made plain: frps compares it as it is. */
function decodedPath(target: string): string {
  const path = target.split('?', 1)[0] ?? '';
  return path.replace(/%([0-9a-f]{2})/gi, (_match, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
