import { randomBytes } from 'node:crypto';
import { aliyunQuery, signAliyunRequest } from './aliyun-signature.ts';
import { sha256Hex } from './sha256-hex.ts';

type AliyunCall = { endpoint: string; version: string; action: string; query: Record<string, string> };

/** Returns a signed call of an Alibaba Cloud API as arguments for `fetch`. */
export function aliyunRequest(
  { endpoint, version, action, query }: AliyunCall,
  credential: { accessKeyId: string; accessKeySecret: string },
): { url: URL; init: RequestInit } {
  const url = new URL('/', endpoint);
  url.search = aliyunQuery(query);
  const headers = {
    host: url.host,
    'x-acs-action': action,
    'x-acs-content-sha256': sha256Hex(''),
    'x-acs-date': new Date().toISOString().replace(/\.\d+/, ''),
    'x-acs-signature-nonce': randomBytes(16).toString('hex'),
    'x-acs-version': version,
  };
  const authorization = signAliyunRequest({ method: 'POST', path: '/', query, headers, body: '' }, credential);
  const { host: _, ...sent } = headers; // fetch sets this header
  return { url, init: { method: 'POST', headers: { ...sent, authorization } } };
}
