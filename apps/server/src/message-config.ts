import type { AllowedAddresses } from './features/alerts/index.ts';
import type { MailConfig } from './features/mail/index.ts';
import type { SmsConfig } from './features/sms/index.ts';

/** How codes and alerts reach people; undefined: not at all. */
export type MessageConfig = {
  sms: SmsConfig | undefined;
  mail: MailConfig | undefined;
  /** SMS that are sent in a day at most, of all users together. */
  smsPerDay: number;
  /** Country calling codes of the numbers that are served, that of numbers without one first. */
  phoneRegions: string[];
  /** Where alerts may be sent. */
  alertAddresses: AllowedAddresses;
};
