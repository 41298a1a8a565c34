import { z } from 'zod';
import { download } from '../exchange.ts';
import type { BillLine } from '../payment-provider.ts';
import { PaymentProviderError } from '../provider-error.ts';
import { callAlipay, type AlipayDeps } from './call-alipay.ts';
import { parseAlipayBill } from './parse-alipay-bill.ts';
import { zipEntries } from './zip-entries.ts';

const MAX_BYTES = 100 * 1024 * 1024;
/** Alipay's documents have both forms: `isp.bill_not_exist`, `BILL_NOT_EXIST`. */
const NO_BILL = /bill_not_exist$/i;

export async function fetchAlipayBill(deps: AlipayDeps, day: string): Promise<BillLine[]> {
  const result = await callAlipay(deps, {
    method: 'alipay.data.dataservice.bill.downloadurl.query',
    content: { bill_type: 'trade', bill_date: day },
    reply: z.object({ bill_download_url: z.url({ protocol: /^https?$/ }) }),
  });
  if ('refusal' in result) {
    if (NO_BILL.test(result.refusal)) return [];
    throw new PaymentProviderError('alipay', 'refused', result.detail);
  }
  const url = downloadUrl(deps.config.gatewayUrl, result.value.bill_download_url);
  const { status, body } = await download(deps.channel, url, {});
  if (status !== 200) throw new PaymentProviderError('alipay', 'unavailable', `the bill's download: status ${status}`);
  try {
    const files = zipEntries(body, { maxBytes: MAX_BYTES }).map(parseAlipayBill);
    const lines = files.filter((file) => file !== undefined);
    if (lines.length === 0) throw new Error('no file of the bill lists payments');
    return lines.flat();
  } catch (cause) {
    throw new PaymentProviderError('alipay', 'unavailable', 'the bill cannot be read', { cause });
  }
}

/** Alipay's documents show an http address. Its content is signed by nobody, so TLS must protect it. */
function downloadUrl(gatewayUrl: string, given: string): URL {
  const url = new URL(given);
  if (new URL(gatewayUrl).protocol === 'https:') url.protocol = 'https:';
  return url;
}
