import { createHmac } from 'node:crypto';
import { plainText } from '../sending/alert-message.ts';
import { jsonRequest, failureOfCode, withoutMentions, type Provider } from './provider.ts';

const BAD_REQUEST = 9499;
/**
 * 11232 and 11233 mean more than 100 messages a minute or 5 a second. 19021 (signature), 19022 (address) and 19024
 * (keyword) are rejections.
 */
const failures = { 11232: 'rate_limited', 11233: 'rate_limited' } as const;

/** A robot of a Feishu group (飞书自定义机器人), with 签名校验 where a secret is given. */
export const feishu: Provider<'feishu'> = {
  request({ url, secret }, message, wallClockMs) {
    const timestamp = String(Math.floor(wallClockMs / 1000));
    // As documented, timestamp and secret form the key, and the signed text is empty.
    const signed = secret && {
      timestamp,
      sign: createHmac('sha256', `${timestamp}\n${secret}`).update('').digest('base64'),
    };
    return jsonRequest(new URL(url), {
      ...signed,
      msg_type: 'text',
      content: { text: withoutMentions(plainText(message)) },
    });
  },
  failureOf(response) {
    const isTooMany = /too many request/i.test(response.body); // its code is 9499, like that of every invalid body
    return failureOfCode(response, {
      field: 'code',
      success: 0,
      failures: isTooMany ? { ...failures, [BAD_REQUEST]: 'rate_limited' } : failures,
    });
  },
};
