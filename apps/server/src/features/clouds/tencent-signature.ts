import { createHmac } from 'node:crypto';
import { sha256Hex } from './sha256-hex.ts';

const ALGORITHM = 'TC3-HMAC-SHA256';

/** The Authorization header of Tencent Cloud's signature V3 for a JSON POST to `/`. It signs all `headers`. */
export function signTencentRequest(
  request: { service: string; timestampSeconds: number; headers: Record<string, string>; body: string },
  credential: { secretId: string; secretKey: string },
): string {
  const headers = Object.entries(request.headers).sort(([one], [other]) => (one < other ? -1 : 1));
  const signedHeaders = headers.map(([name]) => name).join(';');
  const canonical = [
    'POST',
    '/',
    '',
    ...headers.map(([name, value]) => `${name}:${value.trim().toLowerCase()}`),
    '',
    signedHeaders,
    sha256Hex(request.body),
  ].join('\n');
  const date = new Date(request.timestampSeconds * 1000).toISOString().slice(0, 10);
  const scope = `${date}/${request.service}/tc3_request`;
  const key = [date, request.service, 'tc3_request'].reduce<Buffer | string>(hmac, `TC3${credential.secretKey}`);
  const signature = hmac(key, [ALGORITHM, request.timestampSeconds, scope, sha256Hex(canonical)].join('\n'));
  return `${ALGORITHM} Credential=${credential.secretId}/${scope}, SignedHeaders=${signedHeaders}, Signature=${signature.toString('hex')}`;
}

function hmac(key: Buffer | string, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
