import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { aliyunQuery, sha256, signAliyunRequest } from '../clouds/index.ts';
import { callProvider, refusalOf } from './call-provider.ts';
import type { SmsSender } from './sms-sender.ts';

export type AliyunSmsSettings = {
  accessKeyId: string;
  accessKeySecret: string;
  /** 短信签名 */
  signName: string;
  /** 模板 CODE with the variable `code`, and the one for numbers outside mainland China. */
  template: string;
  templateAbroad: string;
  /** Where another server speaks this API. */
  endpoint?: string;
  timeoutMs?: number;
};

const ENDPOINT = 'https://dysmsapi.aliyuncs.com';
const VERSION = '2017-05-25';
const MAINLAND = '+86';

const Answer = z.object({ Code: z.string(), Message: z.string().default('') });
const known = {
  'isv.BUSINESS_LIMIT_CONTROL': 'code.too-often', // 1 a minute, 5 an hour, 10 a day for each number
  'isv.MOBILE_NUMBER_ILLEGAL': 'phone.invalid',
} as const;

/** Alibaba Cloud SMS (短信服务), SendSms of version 2017-05-25. The key needs the permission AliyunDysmsFullAccess. */
export function createAliyunSms(settings: AliyunSmsSettings): SmsSender {
  return {
    async send({ phone, code }) {
      const isMainland = phone.startsWith(MAINLAND);
      const { Code, Message } = await callSendSms(settings, {
        PhoneNumbers: isMainland ? phone.slice(MAINLAND.length) : phone.slice(1),
        SignName: settings.signName,
        TemplateCode: isMainland ? settings.template : settings.templateAbroad,
        TemplateParam: JSON.stringify({ code }),
      });
      if (Code !== 'OK') throw refusalOf(known, Code, Message);
    },
  };
}

async function callSendSms(settings: AliyunSmsSettings, query: Record<string, string>) {
  const url = new URL('/', settings.endpoint ?? ENDPOINT);
  url.search = aliyunQuery(query);
  const headers = {
    host: url.host,
    'x-acs-action': 'SendSms',
    'x-acs-content-sha256': sha256(''),
    'x-acs-date': new Date().toISOString().replace(/\.\d+/, ''),
    'x-acs-signature-nonce': randomBytes(16).toString('hex'),
    'x-acs-version': VERSION,
  };
  const authorization = signAliyunRequest({ method: 'POST', path: '/', query, headers, body: '' }, settings);
  const { host: _, ...sent } = headers; // fetch sets the host itself
  return await callProvider(Answer, url, {
    method: 'POST',
    headers: { ...sent, authorization },
    timeoutMs: settings.timeoutMs,
  });
}
