import { X509Certificate, type KeyObject } from 'node:crypto';

const REFRESH_PAUSE_MS = 60_000;

type PlatformCertificate = { serial: string; certificate: X509Certificate };

/**
 * The keys with which WeChat Pay signs: its public key (微信支付公钥), and its platform certificates, which are fetched when a
 * serial number is unknown. A merchant that changes from certificates to the public key receives both for some days.
 */
export class PlatformKeys {
  readonly #publicKey: { id: string; key: KeyObject } | undefined;
  readonly #fetch: () => Promise<PlatformCertificate[]>;
  readonly #monotonicMs: () => number;
  #certificates = new Map<string, X509Certificate>();
  #fetching: Promise<void> | undefined;
  #fetchedAtMs = -Infinity;

  constructor(deps: {
    publicKey: { id: string; key: KeyObject } | undefined;
    fetch: () => Promise<PlatformCertificate[]>;
    monotonicMs: () => number;
  }) {
    this.#publicKey = deps.publicKey;
    this.#fetch = deps.fetch;
    this.#monotonicMs = deps.monotonicMs;
  }

  /** Undefined when WeChat Pay has no such key. Throws PaymentProviderError when that cannot be asked at the moment. */
  async find(serial: string, wallClockMs: number): Promise<KeyObject | undefined> {
    if (serial === this.#publicKey?.id) return this.#publicKey.key;
    if (!this.#certificates.has(serial)) await this.#refresh();
    const certificate = this.#certificates.get(serial);
    if (!certificate || certificate.validFromDate.getTime() > wallClockMs) return undefined;
    return certificate.validToDate.getTime() < wallClockMs ? undefined : certificate.publicKey;
  }

  /** One call for all that wait, and a pause after it, so that forged serial numbers cause no calls. */
  async #refresh(): Promise<void> {
    if (this.#fetching) return await this.#fetching;
    if (this.#monotonicMs() - this.#fetchedAtMs < REFRESH_PAUSE_MS) return;
    this.#fetching = this.#replaceCertificates();
    try {
      await this.#fetching;
    } finally {
      this.#fetching = undefined;
    }
  }

  async #replaceCertificates(): Promise<void> {
    this.#fetchedAtMs = this.#monotonicMs();
    const fetched = await this.#fetch();
    this.#certificates = new Map(fetched.map(({ serial, certificate }) => [serial, certificate]));
  }
}
