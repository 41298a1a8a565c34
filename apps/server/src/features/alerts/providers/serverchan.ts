import { linesOf } from '../sending/alert-message.ts';
import { failureOfCode, type Provider } from './provider.ts';

const MAX_TITLE_LENGTH = 32;

/** Each account of Server酱³ (`sctp<number>t…`) has its own host. */
export function serverchanUrl(sendKey: string): URL {
  const [, number] = /^sctp(\d+)t/.exec(sendKey) ?? [];
  return number === undefined
    ? new URL(`https://sctapi.ftqq.com/${sendKey}.send`)
    : new URL(`https://${number}.push.ft07.com/send/${sendKey}.send`);
}

/** WeChat by Server酱 (sct.ftqq.com, sc3.ft07.com). A wrong key and an exhausted daily quota are rejections. */
export const serverchan: Provider<'serverchan'> = {
  request({ send_key: sendKey }, message) {
    const title = [...message.title].slice(0, MAX_TITLE_LENGTH).join('');
    const texts = linesOf(message).slice(0, -1); // the last line is the address, which escaping would break
    const desp = [...texts.map(escapeMarkdown), message.url].join('\n\n');
    return {
      url: serverchanUrl(sendKey),
      contentType: 'application/x-www-form-urlencoded',
      body: new URLSearchParams({ title, desp, noip: '1' }).toString(),
    };
  },
  failureOf: (response) => failureOfCode(response, { field: 'code', success: 0, failures: {} }),
};

function escapeMarkdown(line: string): string {
  return line.replaceAll(/[\\`*_[\]<>#|~]/g, '\\$&');
}
