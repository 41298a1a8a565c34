import { createHash, createHmac } from 'node:crypto';
import {
  type FakeZones,
  type ProviderAnswer,
  type ProviderRequest,
  type FakeDnsProvider,
  startFakeDnsProvider,
} from './fake-dns-provider.ts';

export const aliyunCredential = { accessKeyId: 'LTAI-test', accessKeySecret: 'secret of the test' };

const FRESH_MS = 15 * 60_000;

/** Alibaba Cloud DNS as its documentation describes it: checks signature V3, the date and the nonce of every call. */
export async function startFakeAliyunDns(zones: FakeZones): Promise<FakeDnsProvider> {
  const nonces = new Set<string>();
  return await startFakeDnsProvider((request) => {
    const refusal = refuse(request, nonces);
    return refusal === undefined ? act(request, zones) : refused(400, refusal);
  });
}

function refuse({ method, url, headers, body }: ProviderRequest, nonces: Set<string>): string | undefined {
  const given = /^ACS3-HMAC-SHA256 Credential=([^,]+),SignedHeaders=([^,]+),Signature=([0-9a-f]{64})$/.exec(
    headers.authorization ?? '',
  );
  if (!given) return 'IncompleteSignature';
  const [, accessKeyId, signedHeaders = '', signature] = given;
  if (accessKeyId !== aliyunCredential.accessKeyId) return 'InvalidAccessKeyId.NotFound';
  const signed = signedHeaders.split(';');
  const mustBeSigned = Object.keys(headers).filter((name) => name === 'host' || name.startsWith('x-acs-'));
  if (mustBeSigned.some((name) => !signed.includes(name))) return 'IncompleteSignature';
  if (headers['x-acs-content-sha256'] !== sha256(body)) return 'SignatureDoesNotMatch';
  if (Math.abs(Date.parse(String(headers['x-acs-date'])) - Date.now()) > FRESH_MS) return 'InvalidTimeStamp.Expired';
  const nonce = String(headers['x-acs-signature-nonce']);
  if (nonces.has(nonce)) return 'SignatureNonceUsed';
  nonces.add(nonce);

  const query = [...url.searchParams]
    .map(([name, value]) => `${percentEncoded(name)}=${percentEncoded(value)}`)
    .sort()
    .join('&');
  let canonical = `${method}\n${url.pathname}\n${query}\n`;
  for (const name of signed.toSorted()) canonical += `${name}:${String(headers[name]).trim()}\n`;
  canonical += `\n${signedHeaders}\n${sha256(body)}`;
  const expected = createHmac('sha256', aliyunCredential.accessKeySecret)
    .update(`ACS3-HMAC-SHA256\n${sha256(canonical)}`)
    .digest('hex');
  return signature === expected ? undefined : 'SignatureDoesNotMatch';
}

function act({ url, headers }: ProviderRequest, zones: FakeZones): ProviderAnswer {
  if (headers['x-acs-version'] !== '2015-01-09') return refused(400, 'InvalidVersion');
  const input = url.searchParams;
  const zone = input.get('DomainName') ?? '';
  switch (headers['x-acs-action']) {
    case 'DescribeDomains': {
      const size = Number(input.get('PageSize'));
      const from = (Number(input.get('PageNumber')) - 1) * size;
      const Domain = zones.names.slice(from, from + size).map((DomainName) => ({ DomainName }));
      return { status: 200, body: { TotalCount: zones.names.length, Domains: { Domain } } };
    }
    case 'DescribeSubDomainRecords': {
      const host = (input.get('SubDomain') ?? '').slice(0, -zone.length - 1);
      const found = zones.at(zone, host, input.get('Type') ?? '');
      const Record = found.map(({ id, value }) => ({ RecordId: String(id), Value: value }));
      return { status: 200, body: { TotalCount: found.length, DomainRecords: { Record } } };
    }
    case 'AddDomainRecord': {
      if (!zones.names.includes(zone)) return refused(400, 'InvalidDomainName.NoExist');
      const host = input.get('RR') === '@' ? '' : (input.get('RR') ?? '');
      const record = { zone, host, type: input.get('Type') ?? '', value: input.get('Value') ?? '' };
      const isDuplicate = zones.at(zone, host, record.type).some(({ value }) => value === record.value);
      if (isDuplicate) return refused(400, 'DomainRecordDuplicate');
      return { status: 200, body: { RecordId: String(zones.add(record).id) } };
    }
    case 'DeleteDomainRecord': {
      const isRemoved = zones.remove(Number(input.get('RecordId')));
      return isRemoved ? { status: 200, body: {} } : refused(400, 'DomainRecordNotBelongToUser');
    }
    default:
      return refused(404, 'InvalidAction.NotFound');
  }
}

function refused(status: number, code: string): ProviderAnswer {
  return { status, body: { Code: code, Message: `refused: ${code}`, RequestId: 'test' } };
}

function percentEncoded(text: string): string {
  const unreserved = /[A-Za-z0-9._~-]/;
  return [...Buffer.from(text)]
    .map((byte) => {
      const sign = String.fromCharCode(byte);
      return unreserved.test(sign) ? sign : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
    })
    .join('');
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
