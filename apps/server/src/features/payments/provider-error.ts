import type { PaymentProviderId } from './payment-provider.ts';

/**
 * - `unavailable`: no reply, or one that cannot be trusted. Whether the provider has acted is unknown: ask it again.
 * - `refused`: the provider refuses this call. Repeating it does not help; often the operator's settings are wrong.
 * - `already-paid`, `closed`: the payment has ended, so it cannot be created or closed.
 * - `insufficient-balance`: the merchant's account does not hold enough for the refund.
 * - `bill-not-ready`: the bill of that day is still being made.
 */
export type ProviderErrorCode =
  | 'unavailable'
  | 'refused'
  | 'already-paid'
  | 'closed'
  | 'insufficient-balance'
  | 'bill-not-ready';

export class PaymentProviderError extends Error {
  override readonly name = 'PaymentProviderError';
  readonly provider: PaymentProviderId;
  readonly code: ProviderErrorCode;

  /** `detail` is for the log: the provider's own code and message. */
  constructor(provider: PaymentProviderId, code: ProviderErrorCode, detail: string, options?: ErrorOptions) {
    super(`${provider}: ${detail}`, options);
    this.provider = provider;
    this.code = code;
  }
}

/**
 * - `too-large`, `malformed`: not a notification in the documented form.
 * - `signature`: not signed by the provider. `unknown-key`: signed with a key that the provider does not publish.
 * - `time`: too old, or from the future.
 * - `merchant`, `app`: signed by the provider, but meant for another merchant or app.
 * - `decryption`: its content was not sealed with our key, or was damaged.
 */
export type NotificationRefusal =
  | 'too-large'
  | 'malformed'
  | 'signature'
  | 'unknown-key'
  | 'time'
  | 'merchant'
  | 'app'
  | 'decryption';

export class NotificationRefused extends Error {
  override readonly name = 'NotificationRefused';
  readonly provider: PaymentProviderId;
  readonly code: NotificationRefusal;

  constructor(provider: PaymentProviderId, code: NotificationRefusal, options?: ErrorOptions) {
    super(`${provider}: notification refused: ${code}`, options);
    this.provider = provider;
    this.code = code;
  }
}
