import { AppError } from '@tongtu/contract';
import { parsePhoneNumberFromString } from 'libphonenumber-js/mobile';

const CHINA = '86';
// Wider than the library's table, which learns of newly allotted ranges late.
const CHINA_MOBILE = /^1[3-9]\d{9}$/;

/**
 * The number as E.164. `regions` are the country calling codes that are served, the one of numbers without a code first.
 * Throws `phone.invalid` for what is no mobile number, or is of another region.
 */
export function parsePhone(text: string, regions: readonly string[]): string {
  const phone = findPhone(text, regions);
  if (phone === undefined) throw new AppError('phone.invalid');
  return phone;
}

/** The same for text that may be something else. */
export function findPhone(text: string, regions: readonly string[]): string | undefined {
  const [defaultCallingCode = CHINA] = regions;
  // With a calling code alone the library knows no prefix for calls abroad; 00 is that of most regions.
  const dialled = text.normalize('NFKC').trim().replace(/^00/, '+');
  const parsed = parsePhoneNumberFromString(dialled, { defaultCallingCode, extract: false });
  if (!parsed || parsed.ext !== undefined) return undefined;
  const region = parsed.countryCallingCode;
  const isMobile = region === CHINA ? CHINA_MOBILE.test(parsed.nationalNumber) : parsed.isValid();
  return isMobile && regions.includes(region) ? parsed.number : undefined;
}
