import { signTencentRequest } from './tencent-signature.ts';

type TencentCall = {
  endpoint: string;
  service: string;
  version: string;
  action: string;
  input: object;
  /** Only for services with regions. */
  region?: string;
};

/** Returns a signed call of a Tencent Cloud API as arguments for `fetch`. */
export function tencentRequest(
  { endpoint, service, version, action, input, region }: TencentCall,
  credential: { secretId: string; secretKey: string },
): { url: URL; init: RequestInit } {
  const url = new URL('/', endpoint);
  const body = JSON.stringify(input);
  const timestampSeconds = Math.floor(Date.now() / 1000);
  const signed = { 'content-type': 'application/json; charset=utf-8', host: url.host, 'x-tc-action': action };
  const authorization = signTencentRequest({ service, timestampSeconds, headers: signed, body }, credential);
  const { host: _, ...sent } = signed; // fetch sets this header
  const headers = {
    ...sent,
    'x-tc-version': version,
    'x-tc-timestamp': String(timestampSeconds),
    ...(region !== undefined && { 'x-tc-region': region }),
    authorization,
  };
  return { url, init: { method: 'POST', headers, body } };
}
