import { createHmac } from 'node:crypto';
import { plainText } from '../sending/alert-message.ts';
import { jsonCall, judgeCode, withoutMentions, type Provider } from './provider.ts';

const BAD_REQUEST = 9499;
/** 11232, 11233: more than 100 messages a minute or 5 a second. 19021 (signature), 19022 (address), 19024 (keyword) are rejections. */
const failures = { 11232: 'rate_limited', 11233: 'rate_limited' } as const;

/** A robot of a Feishu group (飞书自定义机器人), with 签名校验 where a secret is given. */
export const feishu: Provider<'feishu'> = {
  call({ url, secret }, message, wallClockMs) {
    const timestamp = String(Math.floor(wallClockMs / 1000));
    // The text that others sign is the key here, and nothing is signed: so the documentation has it.
    const signed = secret && {
      timestamp,
      sign: createHmac('sha256', `${timestamp}\n${secret}`).update('').digest('base64'),
    };
    return jsonCall(new URL(url), {
      ...signed,
      msg_type: 'text',
      content: { text: withoutMentions(plainText(message)) },
    });
  },
  judge(answer) {
    const isTooMany = /too many request/i.test(answer.body); // comes as 9499, as everything does that is wrong with the body
    return judgeCode(answer, {
      field: 'code',
      arrived: 0,
      failures: isTooMany ? { ...failures, [BAD_REQUEST]: 'rate_limited' } : failures,
    });
  },
};
