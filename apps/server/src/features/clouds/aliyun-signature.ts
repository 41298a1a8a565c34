import { createHmac } from 'node:crypto';
import { sha256Hex } from './sha256-hex.ts';

const ALGORITHM = 'ACS3-HMAC-SHA256';

export type AliyunRequest = {
  method: string;
  path: string;
  query: Record<string, string>;
  /** All headers of the request in lower case, including `host` and every `x-acs-` header. */
  headers: Record<string, string>;
  body: string;
};

/** The Authorization header of Alibaba Cloud's signature V3. `headers` must contain `x-acs-content-sha256` of the body. */
export function signAliyunRequest(
  request: AliyunRequest,
  credential: { accessKeyId: string; accessKeySecret: string },
): string {
  const headers = Object.entries(request.headers).sort(byName);
  const signedHeaders = headers.map(([name]) => name).join(';');
  const canonical = [
    request.method,
    request.path,
    aliyunQuery(request.query),
    ...headers.map(([name, value]) => `${name}:${value.trim()}`),
    '',
    signedHeaders,
    sha256Hex(request.body),
  ].join('\n');
  const signature = createHmac('sha256', credential.accessKeySecret)
    .update(`${ALGORITHM}\n${sha256Hex(canonical)}`)
    .digest('hex');
  return `${ALGORITHM} Credential=${credential.accessKeyId},SignedHeaders=${signedHeaders},Signature=${signature}`;
}

/** Sorts and percent-encodes as RFC 3986 requires. Send exactly this string, because it is what was signed. */
export function aliyunQuery(query: Record<string, string>): string {
  return Object.entries(query)
    .sort(byName)
    .map(([name, value]) => `${percentEncode(name)}=${percentEncode(value)}`)
    .join('&');
}

function byName([one]: [string, string], [other]: [string, string]): number {
  return one < other ? -1 : 1;
}

function percentEncode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
