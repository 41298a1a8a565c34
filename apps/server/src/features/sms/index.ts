export { createSmsSender, type SmsConfig } from './create-sms-sender.ts';
export type { SmsSender } from './sms-sender.ts';
