import { z } from 'zod';
import { tencentRequest } from '../clouds/index.ts';
import { callProvider, errorOf } from './call-provider.ts';
import type { SmsSender } from './sms-sender.ts';

export type TencentSmsSettings = {
  secretId: string;
  secretKey: string;
  /** SdkAppId of the application in the console of the SMS service. */
  appId: string;
  /** 短信签名 */
  signName: string;
  /** 模板 ID with one variable, and the one for numbers outside mainland China. */
  template: string;
  templateAbroad: string;
  region: string;
  /** Another server that implements this API. */
  endpoint?: string;
  timeoutMs?: number;
};

const ENDPOINT = 'https://sms.tencentcloudapi.com';
const SERVICE = 'sms';
const VERSION = '2021-01-11';
const MAINLAND = '+86';

const Status = z.object({ Code: z.string(), Message: z.string().default('') });
const SendSmsResponse = z.object({
  Response: z.union([z.object({ Error: Status }), z.object({ SendStatusSet: z.array(Status).min(1) })]),
});
const expectedErrors = {
  'LimitExceeded.DeliveryFrequencyLimit': 'code.too-often',
  'LimitExceeded.PhoneNumberThirtySecondLimit': 'code.too-often',
  'LimitExceeded.PhoneNumberOneHourLimit': 'code.too-often',
  'LimitExceeded.PhoneNumberDailyLimit': 'code.daily-limit',
  'InvalidParameterValue.IncorrectPhoneNumber': 'phone.invalid',
} as const;

/** Tencent Cloud SMS, SendSms of version 2021-01-11. The key needs the permission QcloudSMSFullAccess. */
export function createTencentSms(settings: TencentSmsSettings): SmsSender {
  return {
    async send({ phone, code }) {
      const { Response } = await callSendSms(settings, {
        PhoneNumberSet: [phone],
        SmsSdkAppId: settings.appId,
        SignName: settings.signName,
        TemplateId: phone.startsWith(MAINLAND) ? settings.template : settings.templateAbroad,
        TemplateParamSet: [code],
      });
      const statuses = 'Error' in Response ? [Response.Error] : Response.SendStatusSet;
      const refused = statuses.find(({ Code }) => Code !== 'Ok');
      if (refused) throw errorOf(expectedErrors, refused.Code, refused.Message);
    },
  };
}

async function callSendSms(settings: TencentSmsSettings, input: object) {
  const { endpoint = ENDPOINT, region, timeoutMs } = settings;
  const call = { endpoint, service: SERVICE, version: VERSION, action: 'SendSms', input, region };
  const { url, init } = tencentRequest(call, settings);
  return await callProvider(SendSmsResponse, url, { ...init, timeoutMs });
}
