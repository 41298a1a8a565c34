import { createHash, createHmac } from 'node:crypto';
import { type SmsResponse, type SmsRequest, type FakeSmsProvider, startFakeSmsProvider } from './fake-sms-provider.ts';

export const tencentSms = {
  secretId: 'AKID-test',
  secretKey: 'secret of the test',
  appId: '1400006666',
  signName: '通途',
  template: '1110',
  templateAbroad: '2220',
  region: 'ap-guangzhou',
};

const FRESH_SECONDS = 300;

type SendSms = {
  PhoneNumberSet: string[];
  SmsSdkAppId: string;
  SignName: string;
  TemplateId: string;
  TemplateParamSet: string[];
};

/** Tencent Cloud SMS 2021-01-11 by its documentation. It computes the signature without the product's code. */
export async function startFakeTencentSms(): Promise<FakeSmsProvider> {
  return await startFakeSmsProvider((request, { accepted, refusal }) => {
    const error = findRequestError(request);
    if (error !== undefined) return failed(error);
    const input = JSON.parse(request.body) as SendSms; // trusted, because its signature is valid
    const [phone = ''] = input.PhoneNumberSet;
    if (refusal !== undefined) return status(refusal);
    if (input.SmsSdkAppId !== tencentSms.appId) return status('InvalidParameterValue.SdkAppIdNotExist');
    const template = phone.startsWith('+86') ? tencentSms.template : tencentSms.templateAbroad;
    if (input.TemplateId !== template) return status('FailedOperation.TemplateIncorrectOrUnapproved');
    accepted.push({ phone, signName: input.SignName, template, parameters: input.TemplateParamSet.join(',') });
    return status('Ok');
  });
}

function findRequestError({ method, url, headers, body }: SmsRequest): string | undefined {
  const given =
    /^TC3-HMAC-SHA256 Credential=([^/]+)\/(\d{4}-\d\d-\d\d)\/sms\/tc3_request, SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/.exec(
      headers.authorization ?? '',
    );
  if (!given) return 'AuthFailure.InvalidAuthorization';
  const [, secretId, date = '', signedHeaders = '', signature] = given;
  if (secretId !== tencentSms.secretId) return 'AuthFailure.SecretIdNotFound';
  if (headers['x-tc-action'] !== 'SendSms') return 'InvalidAction';
  if (headers['x-tc-version'] !== '2021-01-11') return 'NoSuchVersion';
  if (headers['x-tc-region'] !== tencentSms.region) return 'UnsupportedRegion';
  const timestamp = String(headers['x-tc-timestamp']);
  if (Math.abs(Number(timestamp) - Date.now() / 1000) > FRESH_SECONDS) return 'AuthFailure.SignatureExpire';
  const signed = signedHeaders.split(';');
  if (!signed.includes('content-type') || !signed.includes('host')) return 'AuthFailure.SignatureFailure';

  const lines = signed.toSorted().map((name) => `${name}:${String(headers[name]).trim().toLowerCase()}\n`);
  const canonical = `${method}\n${url.pathname}\n${url.search.slice(1)}\n${lines.join('')}\n${signedHeaders}\n${sha256(body)}`;
  const toSign = `TC3-HMAC-SHA256\n${timestamp}\n${date}/sms/tc3_request\n${sha256(canonical)}`;
  const key = hmac(hmac(hmac(`TC3${tencentSms.secretKey}`, date), 'sms'), 'tc3_request');
  return signature === hmac(key, toSign).toString('hex') ? undefined : 'AuthFailure.SignatureFailure';
}

/** Tencent's errors have status 200, too. */
function failed(Code: string): SmsResponse {
  return {
    status: 200,
    body: JSON.stringify({ Response: { Error: { Code, Message: `says ${Code}` }, RequestId: 't' } }),
  };
}

function status(Code: string): SmsResponse {
  const SendStatusSet = [{ SerialNo: '1', PhoneNumber: '', Fee: 1, SessionContext: '', Code, Message: `says ${Code}` }];
  return { status: 200, body: JSON.stringify({ Response: { SendStatusSet, RequestId: 'test' } }) };
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
