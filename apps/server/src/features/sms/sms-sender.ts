import type { SmsPurpose } from '@tongtu/contract';

type SmsMessage = { /** E.164 */ phone: string; purpose: SmsPurpose; code: string };

/** Sends codes to phones. */
export type SmsSender = {
  /** Resolves when the provider has accepted the message. Throws `sms.unavailable`, `code.too-often` or `phone.invalid`. */
  send(message: SmsMessage): Promise<void>;
};
