import { plainText } from '../sending/alert-message.ts';
import { jsonRequest, failureOfCode, withoutMentions, type Provider } from './provider.ts';

/** 45009: more than 20 messages a minute; 45033: too many at once; -1: busy. */
const failures = { 45009: 'rate_limited', 45033: 'rate_limited', [-1]: 'server_error' } as const;

/** A robot of a WeCom group (企业微信群机器人, developer.work.weixin.qq.com/document/path/91770). */
export const wecom: Provider<'wecom'> = {
  request: ({ url }, message) =>
    jsonRequest(new URL(url), { msgtype: 'text', text: { content: withoutMentions(plainText(message)) } }),
  failureOf: (response) => failureOfCode(response, { field: 'errcode', success: 0, failures }),
};
