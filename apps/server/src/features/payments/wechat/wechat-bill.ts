import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { BillLine } from '../payment-provider.ts';
import { PaymentProviderError, type ProviderErrorCode } from '../provider-error.ts';
import { parseWechatBill } from './parse-wechat-bill.ts';
import type { WechatChannel } from './wechat-channel.ts';

const Bill = z.object({
  hash_type: z.literal('SHA1'),
  hash_value: z.hex(),
  download_url: z.url({ protocol: /^https?$/ }),
});

export async function fetchWechatBill(channel: WechatChannel, day: string): Promise<BillLine[]> {
  const path = `/v3/bill/tradebill?bill_date=${encodeURIComponent(day)}&bill_type=ALL`;
  const result = await channel.call({ method: 'GET', path, reply: Bill });
  if ('refusal' in result) {
    if (result.refusal === 'NO_STATEMENT_EXIST') return [];
    const code: ProviderErrorCode = result.refusal === 'STATEMENT_CREATING' ? 'bill-not-ready' : 'refused';
    throw new PaymentProviderError('wechat', code, result.detail);
  }
  const { download_url: downloadUrl, hash_value: hash } = result.value;
  const { pathname, search } = new URL(downloadUrl);
  // From our API's address: the request is signed, and no other host is to read that.
  const file = await channel.download(pathname + search);
  if (createHash('sha1').update(file).digest('hex') !== hash.toLowerCase()) {
    throw new PaymentProviderError('wechat', 'unavailable', 'the bill is not the one that was announced');
  }
  try {
    return parseWechatBill(file);
  } catch (cause) {
    throw new PaymentProviderError('wechat', 'unavailable', 'the bill cannot be read', { cause });
  }
}
