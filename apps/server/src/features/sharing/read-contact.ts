import { AppError, errorCatalogue } from '@tongtu/contract';
import { z } from 'zod';
import { parsePhone } from '../codes/index.ts';

/**
 * A phone number as E.164, or an e-mail address in lower case: as accounts are compared with it. Throws
 * member.contact-invalid.
 */
export function readContact(text: string, phoneRegions: readonly string[]): string {
  if (text.includes('@')) {
    const mail = z.email().safeParse(text.toLowerCase());
    if (mail.success) return mail.data;
    throw invalidContact();
  }
  try {
    return parsePhone(text, phoneRegions);
  } catch (error) {
    throw invalidContact({ cause: error });
  }
}

function invalidContact(options: ErrorOptions = {}): AppError {
  const code = 'member.contact-invalid';
  return new AppError(code, { ...options, fields: { contact: [errorCatalogue[code].detail] } });
}
