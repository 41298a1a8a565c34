import { z } from 'zod';

/** A host name or address. URLs allow other characters, such as a comma, which a Content-Security-Policy does not. */
const HOST = /^([a-z\d.-]+|\[[a-f\d:.]+\])$/;
/** The same, and with `_`, which names of machines in a local network may have. */
const BROWSER_HOST = /^([a-z\d._-]+|\[[a-f\d:.]+\])$/;

/** A URL without trailing slash. Paths are appended to it, and browsers see it. */
export const webUrl = (example: string) =>
  z
    .url({
      protocol: /^https?$/,
      hostname: HOST,
      error: `必须是 http:// 或 https:// 开头的地址，例如 ${example}`,
      abort: true,
    })
    .refine((url) => isPlain(new URL(url)), `不能含有账号、密码、? 或 #，例如 ${example}`)
    .transform((url) => url.replace(/\/+$/, ''));

/** A URL of scheme, host and port alone: everything below it is ours. */
export const webOrigin = (example: string) =>
  z
    .url({
      protocol: /^https?$/,
      hostname: BROWSER_HOST,
      error: `必须是 http:// 或 https:// 开头的地址，例如 ${example}`,
      abort: true,
    })
    .transform((url) => new URL(url))
    .refine(
      (url) => isPlain(url) && url.pathname === '/',
      `只能有域名和端口，不能含有路径、账号、密码、? 或 #，例如 ${example}`,
    )
    .transform((url) => url.origin);

export function isHttps(url: string): boolean {
  return new URL(url).protocol === 'https:';
}

function isPlain({ username, password, search, hash }: URL): boolean {
  return [username, password, search, hash].every((part) => part === '');
}
