import { AppError } from '@tongtu/contract';
import { parsePhoneNumberFromString } from 'libphonenumber-js/mobile';

const CHINA = '86';
// Wider than the library's table, which lags behind newly allotted ranges.
const CHINA_MOBILE = /^1[3-9]\d{9}$/;

/**
 * Returns the number as E.164. `regions` are the allowed country calling codes; the first applies to numbers without one.
 * Throws `phone.invalid` if the text is not a mobile number of these regions.
 */
export function parsePhone(text: string, regions: readonly string[]): string {
  const phone = findPhone(text, regions);
  if (phone === undefined) throw new AppError('phone.invalid');
  return phone;
}

/** Like `parsePhone`, but returns undefined for any other text. */
export function findPhone(text: string, regions: readonly string[]): string | undefined {
  const [defaultCallingCode = CHINA] = regions;
  // Given only a calling code, the library does not know the international call prefix; 00 is the most common.
  const dialled = text.normalize('NFKC').trim().replace(/^00/, '+');
  const parsed = parsePhoneNumberFromString(dialled, { defaultCallingCode, extract: false });
  if (!parsed || parsed.ext !== undefined) return undefined;
  const region = parsed.countryCallingCode;
  const isMobile = region === CHINA ? CHINA_MOBILE.test(parsed.nationalNumber) : parsed.isValid();
  return isMobile && regions.includes(region) ? parsed.number : undefined;
}
