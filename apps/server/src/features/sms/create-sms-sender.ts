import type { DevelopmentCodes } from '../development/index.ts';
import { type AliyunSmsSettings, createAliyunSms } from './aliyun-sms.ts';
import type { SmsSender } from './sms-sender.ts';
import { createTencentSms, type TencentSmsSettings } from './tencent-sms.ts';

/** `development`: codes go to the log and the development page. */
export type SmsConfig =
  | ({ provider: 'aliyun' } & AliyunSmsSettings)
  | ({ provider: 'tencent' } & TencentSmsSettings)
  | { provider: 'development' };

export function createSmsSender(config: SmsConfig, development: DevelopmentCodes): SmsSender {
  switch (config.provider) {
    case 'aliyun':
      return createAliyunSms(config);
    case 'tencent':
      return createTencentSms(config);
    case 'development':
      return {
        send: async ({ phone, purpose, code }) => development.add({ channel: 'sms', address: phone, purpose, code }),
      };
  }
}
