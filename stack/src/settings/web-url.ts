import { z } from 'zod';

/** A host name or address. URLs allow other characters, such as a comma, which a Content-Security-Policy does not. */
const HOST = /^([a-z\d.-]+|\[[a-f\d:.]+\])$/;

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

export function isHttps(url: string): boolean {
  return new URL(url).protocol === 'https:';
}

function isPlain({ username, password, search, hash }: URL): boolean {
  return [username, password, search, hash].every((part) => part === '');
}
