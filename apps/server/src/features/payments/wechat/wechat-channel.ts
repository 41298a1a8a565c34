import { randomBytes, X509Certificate, type KeyObject } from 'node:crypto';
import { parseJson } from '@tongtu/base';
import { z } from 'zod';
import { download, exchange, type Channel, type ProviderReply } from '../exchange.ts';
import type { WechatPayConfig } from '../payment-config.ts';
import type { ProviderClock } from '../provider-clock.ts';
import { PaymentProviderError } from '../provider-error.ts';
import { openResource, SealedResource } from './open-resource.ts';
import { PlatformKeys } from './platform-keys.ts';
import { isMessageValid, signLines } from './wechat-signature.ts';

type WechatCall<Schema> = {
  method: 'GET' | 'POST';
  /** Path and query as they are sent, because they are signed. */
  path: string;
  content?: object;
  reply: Schema;
};

/** `refusal` is WeChat Pay's code, such as `ORDER_CLOSED`. */
type WechatResult<Value> = { value: Value } | { refusal: string; detail: string };

/** How far a reply's or notification's time may be from the time at WeChat Pay, by its documentation. */
export const FRESH_MS = 5 * 60_000;

const Failure = z.object({ code: z.string(), message: z.string().default('') });
const Certificates = z.object({
  data: z.array(z.object({ serial_no: z.string(), encrypt_certificate: SealedResource })).max(100),
});
/** WeChat Pay does not know itself what has happened, or asks to try again. */
const UNKNOWN_OUTCOME = [
  'SYSTEM_ERROR',
  'BANK_ERROR',
  'FREQUENCY_LIMITED',
  'FREQUENCY_LIMIT_EXCEED',
  'RATELIMIT_EXCEEDED',
];

/** Calls to WeChat Pay's API v3, and the keys that check what comes from there. */
export class WechatChannel {
  readonly config: WechatPayConfig;
  readonly keys: PlatformKeys;
  readonly #channel: Channel;

  constructor(config: WechatPayConfig, channel: Channel, monotonicMs: () => number) {
    this.config = config;
    this.#channel = channel;
    const { publicKey } = config;
    this.keys = new PlatformKeys({ publicKey, fetch: async () => await this.#fetchCertificates(), monotonicMs });
  }

  get clock(): ProviderClock {
    return this.#channel.clock;
  }

  /** A business refusal is a result; anything else that is no success, and an unsigned success, is thrown. */
  async call<Schema extends z.ZodType>(call: WechatCall<Schema>): Promise<WechatResult<z.output<Schema>>> {
    const response = await this.#send(call);
    const name = `${call.method} ${call.path}`;
    const isSuccess = response.status >= 200 && response.status < 300;
    // Replies to a request with a wrong signature have none themselves.
    if (isSuccess || response.headers.has('wechatpay-signature')) {
      await this.#assertSigned(response, async (serial) => await this.keys.find(serial, this.clock.now()));
    }
    if (!isSuccess) return refusalOf(response, name);
    const value = call.reply.safeParse(readJson(response));
    if (!value.success) throw unavailable(`${name}: a reply in another form`, value.error);
    return { value: value.data };
  }

  /** A file of WeChat Pay's. It is not signed; the caller compares its hash. */
  async download(path: string): Promise<Buffer> {
    const { url, init } = this.#signed({ method: 'GET', path });
    const { status, body } = await download(this.#channel, url, init);
    if (status !== 200) throw unavailable(`GET ${url.pathname}: status ${status}`);
    return body;
  }

  async #send(call: Omit<WechatCall<unknown>, 'reply'>): Promise<ProviderReply> {
    const { url, init } = this.#signed(call);
    return await exchange(this.#channel, url, init);
  }

  #signed({ method, path, content }: Omit<WechatCall<unknown>, 'reply'>): { url: URL; init: RequestInit } {
    const { apiUrl, merchantId, certificateSerial, privateKey, publicKey } = this.config;
    const url = new URL(apiUrl + path);
    const body = content === undefined ? '' : JSON.stringify(content);
    const timestamp = String(Math.floor(this.clock.now() / 1000));
    const nonce = randomBytes(16).toString('hex');
    const signature = signLines(privateKey, [method, url.pathname + url.search, timestamp, nonce, body]);
    const fields = { mchid: merchantId, nonce_str: nonce, signature, timestamp, serial_no: certificateSerial };
    const quoted = Object.entries(fields).map(([field, value]) => `${field}="${value}"`);
    const headers = {
      authorization: `WECHATPAY2-SHA256-RSA2048 ${quoted.join(',')}`,
      accept: 'application/json',
      'user-agent': 'Tongtu', // WeChat Pay refuses requests without one
      ...(publicKey && { 'wechatpay-serial': publicKey.id }), // asks for replies that this key checks
      ...(content !== undefined && { 'content-type': 'application/json' }),
    };
    return { url, init: { method, headers, ...(content !== undefined && { body }) } };
  }

  async #assertSigned(
    { headers, body }: ProviderReply,
    findKey: (serial: string) => Promise<KeyObject | undefined>,
  ): Promise<void> {
    const timestamp = headers.get('wechatpay-timestamp') ?? '';
    const nonce = headers.get('wechatpay-nonce') ?? '';
    const signature = headers.get('wechatpay-signature') ?? '';
    const serial = headers.get('wechatpay-serial') ?? '';
    const key = await findKey(serial);
    if (!key) throw unavailable(`a reply signed with the unknown key ${serial}`);
    const isFresh = Math.abs(Number(timestamp) * 1000 - this.clock.now()) <= FRESH_MS;
    if (!isFresh || !isMessageValid(key, { timestamp, nonce, body, signature })) {
      throw unavailable('a reply that is not signed by WeChat Pay');
    }
  }

  /** The APIv3 key vouches for the certificates; the reply is then checked with one of them. */
  async #fetchCertificates(): Promise<{ serial: string; certificate: X509Certificate }[]> {
    const response = await this.#send({ method: 'GET', path: '/v3/certificates' });
    if (response.status !== 200) {
      // A merchant with the public key alone has no certificates.
      const { detail } = refusalOf(response, 'GET /v3/certificates');
      if (this.config.publicKey) return [];
      throw new PaymentProviderError('wechat', 'refused', detail);
    }
    const certificates = this.#openCertificates(response);
    await this.#assertSigned(response, async (serial) => {
      if (serial === this.config.publicKey?.id) return this.config.publicKey.key;
      return certificates.find((one) => one.serial === serial)?.certificate.publicKey;
    });
    return certificates;
  }

  #openCertificates(response: ProviderReply): { serial: string; certificate: X509Certificate }[] {
    try {
      return Certificates.parse(readJson(response)).data.map(({ serial_no: serial, encrypt_certificate: sealed }) => ({
        serial,
        certificate: new X509Certificate(openResource(this.config.apiV3Key, sealed)),
      }));
    } catch (cause) {
      throw unavailable('the platform certificates cannot be opened; is the APIv3 key right?', cause);
    }
  }
}

/** An empty body is that of a 204. */
function readJson({ body }: ProviderReply): unknown {
  return body.length === 0 ? {} : parseJson(body.toString());
}

function refusalOf(response: ProviderReply, name: string): { refusal: string; detail: string } {
  const failure = Failure.safeParse(readJson(response)).data;
  const detail = `${name}: ${response.status} ${failure?.code ?? ''} ${failure?.message ?? ''}`;
  if (failure === undefined || response.status >= 500 || response.status === 429) throw unavailable(detail);
  if (UNKNOWN_OUTCOME.includes(failure.code)) throw unavailable(detail);
  return { refusal: failure.code, detail };
}

function unavailable(detail: string, cause?: unknown): PaymentProviderError {
  return new PaymentProviderError('wechat', 'unavailable', detail, { cause });
}
