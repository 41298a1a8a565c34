import { createHmac } from 'node:crypto';
import { plainText } from '../sending/alert-message.ts';
import { jsonRequest, failureOfCode, type Provider } from './provider.ts';

/** Both codes mean more than 20 messages a minute. 310000 (keyword, signature or address) is a rejection. */
const failures = { 130101: 'rate_limited', 410100: 'rate_limited', [-1]: 'server_error' } as const;

/** A robot of a DingTalk group (钉钉自定义机器人), with 加签 where a secret is given. */
export const dingtalk: Provider<'dingtalk'> = {
  request({ url: robotUrl, secret }, message, wallClockMs) {
    const url = new URL(robotUrl);
    if (secret) {
      url.searchParams.set('timestamp', String(wallClockMs));
      url.searchParams.set('sign', createHmac('sha256', secret).update(`${wallClockMs}\n${secret}`).digest('base64'));
    }
    return jsonRequest(url, { msgtype: 'text', text: { content: plainText(message) } });
  },
  failureOf: (response) => failureOfCode(response, { field: 'errcode', success: 0, failures }),
};
