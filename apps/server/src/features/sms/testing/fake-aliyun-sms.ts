import { createHash, createHmac } from 'node:crypto';
import { type SmsResponse, type SmsRequest, type FakeSmsProvider, startFakeSmsProvider } from './fake-sms-provider.ts';

export const aliyunSms = {
  accessKeyId: 'LTAI-test',
  accessKeySecret: 'secret of the test',
  signName: '通途',
  template: 'SMS_100',
  templateAbroad: 'SMS_200',
};

const FRESH_MS = 15 * 60_000;

/** Dysmsapi 2017-05-25 by its documentation. It computes the signature from the request, without the product's code. */
export async function startFakeAliyunSms(): Promise<FakeSmsProvider> {
  return await startFakeSmsProvider((request, { accepted, refusal }) => {
    const error = findRequestError(request);
    if (error !== undefined) return response(error === 'InvalidAccessKeyId.NotFound' ? 404 : 400, error);
    const { searchParams: input } = request.url;
    if (refusal !== undefined) return response(200, refusal);
    const template = input.get('TemplateCode') ?? '';
    const phone = input.get('PhoneNumbers') ?? '';
    if (input.get('SignName') !== aliyunSms.signName) return response(200, 'isv.SMS_SIGNATURE_ILLEGAL');
    const isTemplateRight = /^1\d{10}$/.test(phone)
      ? template === aliyunSms.template
      : template === aliyunSms.templateAbroad;
    if (!isTemplateRight) return response(200, 'isv.SMS_TEMPLATE_ILLEGAL');
    accepted.push({ phone, signName: aliyunSms.signName, template, parameters: input.get('TemplateParam') ?? '' });
    return response(200, 'OK');
  });
}

function findRequestError({ method, url, headers, body }: SmsRequest): string | undefined {
  const given = /^ACS3-HMAC-SHA256 Credential=([^,]+),SignedHeaders=([^,]+),Signature=([0-9a-f]{64})$/.exec(
    headers.authorization ?? '',
  );
  if (!given) return 'IncompleteSignature';
  const [, accessKeyId, signedHeaders = '', signature] = given;
  if (accessKeyId !== aliyunSms.accessKeyId) return 'InvalidAccessKeyId.NotFound';
  if (headers['x-acs-action'] !== 'SendSms' || headers['x-acs-version'] !== '2017-05-25') return 'InvalidVersion';
  if (headers['x-acs-content-sha256'] !== sha256(body)) return 'SignatureDoesNotMatch';
  if (Math.abs(Date.parse(String(headers['x-acs-date'])) - Date.now()) > FRESH_MS) return 'InvalidTimeStamp.Expired';
  const signed = signedHeaders.split(';');
  const mustBeSigned = Object.keys(headers).filter((name) => name === 'host' || name.startsWith('x-acs-'));
  if (mustBeSigned.some((name) => !signed.includes(name))) return 'IncompleteSignature';

  const query = [...url.searchParams].map((pair) => pair.map(percentEncoded).join('=')).sort();
  const lines = signed.toSorted().map((name) => `${name}:${String(headers[name]).trim()}\n`);
  const canonical = `${method}\n${url.pathname}\n${query.join('&')}\n${lines.join('')}\n${signedHeaders}\n${sha256(body)}`;
  const expected = createHmac('sha256', aliyunSms.accessKeySecret).update(`ACS3-HMAC-SHA256\n${sha256(canonical)}`);
  return signature === expected.digest('hex') ? undefined : 'SignatureDoesNotMatch';
}

function response(status: number, code: string): SmsResponse {
  return { status, body: JSON.stringify({ Code: code, Message: `says ${code}`, RequestId: 'test', BizId: '9^0' }) };
}

function percentEncoded(text: string): string {
  const bytes = [...Buffer.from(text)].map((byte) => {
    const character = String.fromCharCode(byte);
    return /[A-Za-z0-9._~-]/.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  });
  return bytes.join('');
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
