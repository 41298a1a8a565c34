import { signTencentRequest } from './tencent-signature.ts';

type TencentCall = {
  endpoint: string;
  service: string;
  version: string;
  action: string;
  input: object;
  /** Where the service has regions. */
  region?: string;
};

/** One call of an API of Tencent Cloud, signed: what `fetch` is given. */
export function tencentRequest(
  { endpoint, service, version, action, input, region }: TencentCall,
  credential: { secretId: string; secretKey: string },
): { url: URL; init: RequestInit } {
  const url = new URL('/', endpoint);
  const body = JSON.stringify(input);
  const timestampSeconds = Math.floor(Date.now() / 1000);
  const signed = { 'content-type': 'application/json; charset=utf-8', host: url.host, 'x-tc-action': action };
  const authorization = signTencentRequest({ service, timestampSeconds, headers: signed, body }, credential);
  const { host: _, ...sent } = signed; // fetch sets the host itself
  const headers = {
    ...sent,
    'x-tc-version': version,
    'x-tc-timestamp': String(timestampSeconds),
    ...(region !== undefined && { 'x-tc-region': region }),
    authorization,
  };
  return { url, init: { method: 'POST', headers, body } };
}
