import type { PaymentProviderId } from './payment-provider.ts';
import type { ProviderClock } from './provider-clock.ts';
import { PaymentProviderError } from './provider-error.ts';

export type ProviderReply = { status: number; headers: Headers; body: Buffer };

/** What the calls of one provider share. */
export type Channel = {
  provider: PaymentProviderId;
  clock: ProviderClock;
  /** Of a call; a bill may take `BILL_TIMES` as long. */
  timeoutMs: number;
};

const MAX_REPLY_BYTES = 256 * 1024;
/** Some 300 000 rows. */
const MAX_BILL_BYTES = 100 * 1024 * 1024;
const BILL_TIMES = 12;

/** Calls the provider once and reads its reply, whatever the status. Throws `unavailable` when it does not come in time. */
export async function exchange(channel: Channel, url: URL, init: RequestInit): Promise<ProviderReply> {
  return await send(channel, url, init, { timeoutMs: channel.timeoutMs, maxBytes: MAX_REPLY_BYTES });
}

/** The same for a file, which may be large. */
export async function download(channel: Channel, url: URL, init: RequestInit): Promise<ProviderReply> {
  return await send(channel, url, init, { timeoutMs: channel.timeoutMs * BILL_TIMES, maxBytes: MAX_BILL_BYTES });
}

type Limits = { timeoutMs: number; maxBytes: number };

async function send({ provider, clock }: Channel, url: URL, init: RequestInit, limits: Limits): Promise<ProviderReply> {
  try {
    const response = await fetch(url, {
      ...init,
      redirect: 'error', // a redirect would send the signature to another host
      signal: AbortSignal.timeout(limits.timeoutMs),
    });
    clock.learn(response.headers.get('date'));
    return { status: response.status, headers: response.headers, body: await readBody(response, limits.maxBytes) };
  } catch (cause) {
    throw new PaymentProviderError(provider, 'unavailable', `${url.hostname} gave no reply`, { cause });
  }
}

async function readBody(response: Response, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    // Leaving the loop cancels the body and with it the connection.
    if (bytes > maxBytes) throw new Error(`the reply has more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
