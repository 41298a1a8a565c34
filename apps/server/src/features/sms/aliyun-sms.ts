import { z } from 'zod';
import { aliyunRequest } from '../clouds/index.ts';
import { callProvider, errorOf } from './call-provider.ts';
import type { SmsSender } from './sms-sender.ts';

export type AliyunSmsSettings = {
  accessKeyId: string;
  accessKeySecret: string;
  /** 短信签名 */
  signName: string;
  /** 模板 CODE with the variable `code`, and the one for numbers outside mainland China. */
  template: string;
  templateAbroad: string;
  /** Another server that implements this API. */
  endpoint?: string;
  timeoutMs?: number;
};

const ENDPOINT = 'https://dysmsapi.aliyuncs.com';
const VERSION = '2017-05-25';
const MAINLAND = '+86';

const SendSmsResponse = z.object({ Code: z.string(), Message: z.string().default('') });
const expectedErrors = {
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
      if (Code !== 'OK') throw errorOf(expectedErrors, Code, Message);
    },
  };
}

async function callSendSms(settings: AliyunSmsSettings, query: Record<string, string>) {
  const { endpoint = ENDPOINT, timeoutMs } = settings;
  const { url, init } = aliyunRequest({ endpoint, version: VERSION, action: 'SendSms', query }, settings);
  return await callProvider(SendSmsResponse, url, { ...init, timeoutMs });
}
