import { createHash, createHmac } from 'node:crypto';
import {
  type FakeZones,
  type ProviderAnswer,
  type ProviderRequest,
  type FakeDnsProvider,
  startFakeDnsProvider,
} from './fake-dns-provider.ts';

export const tencentCredential = { secretId: 'AKID-test', secretKey: 'secret of the test' };

const FRESH_SECONDS = 300;

/** Tencent Cloud DNSPod as its documentation describes it: checks signature V3 and the time of every call. */
export async function startFakeTencentDns(zones: FakeZones): Promise<FakeDnsProvider> {
  return await startFakeDnsProvider((request) => {
    const refusal = refuse(request);
    return refusal === undefined ? act(request, zones) : refused(refusal);
  });
}

function refuse({ method, url, headers, body }: ProviderRequest): string | undefined {
  const given =
    /^TC3-HMAC-SHA256 Credential=([^/]+)\/(\d{4}-\d\d-\d\d)\/dnspod\/tc3_request, SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/.exec(
      headers.authorization ?? '',
    );
  if (!given) return 'AuthFailure.InvalidAuthorization';
  const [, secretId, date = '', signedHeaders = '', signature] = given;
  if (secretId !== tencentCredential.secretId) return 'AuthFailure.SecretIdNotFound';
  const timestamp = String(headers['x-tc-timestamp']);
  if (Math.abs(Number(timestamp) - Date.now() / 1000) > FRESH_SECONDS) return 'AuthFailure.SignatureExpire';
  if (new Date(Number(timestamp) * 1000).toISOString().slice(0, 10) !== date) return 'AuthFailure.SignatureFailure';
  const signed = signedHeaders.split(';');
  if (!signed.includes('content-type') || !signed.includes('host')) return 'AuthFailure.SignatureFailure';

  let canonical = `${method}\n${url.pathname}\n${url.search.slice(1)}\n`;
  for (const name of signed.toSorted()) canonical += `${name}:${String(headers[name]).trim().toLowerCase()}\n`;
  canonical += `\n${signedHeaders}\n${sha256(body)}`;
  const toSign = `TC3-HMAC-SHA256\n${timestamp}\n${date}/dnspod/tc3_request\n${sha256(canonical)}`;
  const secretDate = hmac(`TC3${tencentCredential.secretKey}`, date);
  const expected = hmac(hmac(hmac(secretDate, 'dnspod'), 'tc3_request'), toSign).toString('hex');
  return signature === expected ? undefined : 'AuthFailure.SignatureFailure';
}

function act({ headers, body }: ProviderRequest, zones: FakeZones): ProviderAnswer {
  if (headers['x-tc-version'] !== '2021-03-23') return refused('InvalidParameter.Version');
  const input = JSON.parse(body) as Record<string, string | number>; // the product's own call, checked by its signature
  const zone = String(input['Domain']);
  switch (headers['x-tc-action']) {
    case 'DescribeDomainList': {
      const from = Number(input['Offset']);
      const page = zones.names.slice(from, from + Number(input['Limit']));
      const DomainList = page.map((Name, index) => ({ DomainId: from + index + 1, Name }));
      return done({ DomainCountInfo: { AllTotal: zones.names.length }, DomainList });
    }
    case 'DescribeRecordList': {
      const found = zones.at(zone, hostOf(input['Subdomain']), String(input['RecordType']));
      if (found.length === 0) return refused('ResourceNotFound.NoDataOfRecord');
      return done({ RecordList: found.map(({ id, value }) => ({ RecordId: id, Value: value })) });
    }
    case 'CreateRecord': {
      if (!zones.names.includes(zone)) return refused('InvalidParameterValue.DomainNotExists');
      if (input['RecordLine'] !== '默认') return refused('InvalidParameter.RecordLineInvalid');
      const host = hostOf(input['SubDomain']);
      const record = { zone, host, type: String(input['RecordType']), value: String(input['Value']) };
      return done({ RecordId: zones.add(record).id });
    }
    case 'DeleteRecord':
      return zones.remove(Number(input['RecordId'])) ? done({}) : refused('InvalidParameter.RecordIdInvalid');
    default:
      return refused('InvalidAction');
  }
}

function hostOf(subdomain: string | number | undefined): string {
  return subdomain === '@' ? '' : String(subdomain);
}

function done(response: object): ProviderAnswer {
  return { status: 200, body: { Response: { ...response, RequestId: 'test' } } };
}

/** Tencent Cloud reports errors with the status 200. */
function refused(code: string): ProviderAnswer {
  return done({ Error: { Code: code, Message: `refused: ${code}` } });
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
