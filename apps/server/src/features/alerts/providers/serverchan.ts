import { linesOf } from '../sending/alert-message.ts';
import { judgeCode, type Provider } from './provider.ts';

const MAX_TITLE_LENGTH = 32;

/** Of Server酱³ (`sctp<number>t…`) each account has a host of its own. */
export function serverchanUrl(sendKey: string): URL {
  const [, number] = /^sctp(\d+)t/.exec(sendKey) ?? [];
  return number === undefined
    ? new URL(`https://sctapi.ftqq.com/${sendKey}.send`)
    : new URL(`https://${number}.push.ft07.com/send/${sendKey}.send`);
}

/** WeChat by Server酱 (sct.ftqq.com, sc3.ft07.com). A wrong key and a used-up day are rejections, whatever their code. */
export const serverchan: Provider<'serverchan'> = {
  call({ send_key: sendKey }, message) {
    const title = [...message.title].slice(0, MAX_TITLE_LENGTH).join('');
    const desp = linesOf(message).map(escapeMarkdown).join('\n\n');
    return {
      url: serverchanUrl(sendKey),
      contentType: 'application/x-www-form-urlencoded',
      body: new URLSearchParams({ title, desp, noip: '1' }).toString(),
    };
  },
  judge: (answer) => judgeCode(answer, { field: 'code', arrived: 0, failures: {} }),
};

/** Addresses stay as they are: their signs are not markup where they stand. */
function escapeMarkdown(line: string): string {
  return /^https?:/.test(line) ? line : line.replaceAll(/[\\`*_[\]<>#|~]/g, '\\$&');
}
