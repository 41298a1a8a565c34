import type { MailConfig } from './features/mail/index.ts';
import type { SmsConfig } from './features/sms/index.ts';
import type { AllowedAddresses } from './http/public-address.ts';

/** How codes and alerts are sent. Undefined senders send nothing. */
export type MessageConfig = {
  sms: SmsConfig | undefined;
  mail: MailConfig | undefined;
  /** Limit of SMS a day, of all users together. */
  smsPerDay: number;
  /** Country calling codes that are served. The first one is that of numbers without a code. */
  phoneRegions: string[];
  /** Where alerts may be sent. */
  alertAddresses: AllowedAddresses;
};
