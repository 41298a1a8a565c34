/** Of Server酱³ (`sctp<number>t…`) each account has a host of its own. */
export function serverchanUrl(sendKey: string): URL {
  const [, number] = /^sctp(\d+)t/.exec(sendKey) ?? [];
  return number === undefined
    ? new URL(`https://sctapi.ftqq.com/${sendKey}.send`)
    : new URL(`https://${number}.push.ft07.com/send/${sendKey}.send`);
}
