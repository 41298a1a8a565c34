import { EmailAddress, fieldError } from '@tongtu/contract';
import { parsePhone } from '../codes/index.ts';

/**
 * Reads a phone number as E.164, or an e-mail address in lower case, the forms in which accounts are looked up. Throws
 * member.contact-invalid.
 */
export function readContact(text: string, phoneRegions: readonly string[]): string {
  if (text.includes('@')) {
    const mail = EmailAddress.safeParse(text.toLowerCase());
    if (mail.success) return mail.data;
    throw fieldError('contact', 'member.contact-invalid', { cause: mail.error });
  }
  try {
    return parsePhone(text, phoneRegions);
  } catch (cause) {
    throw fieldError('contact', 'member.contact-invalid', { cause });
  }
}
