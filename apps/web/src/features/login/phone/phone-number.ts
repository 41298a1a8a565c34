/** Mainland China: the region while the server has named none. */
export const defaultRegion = '86';

/** Mobile numbers of mainland China; the server knows the others. */
const mainlandMobile = /^1\d{10}$/;
const anyNumber = /^\d{4,15}$/;

function digitsOf(text: string): string {
  return text.replaceAll(/[\s()-]/g, '');
}

/** As the server reads it, with its region; undefined when it cannot be a number. */
export function completeNumber(region: string, typed: string): string | undefined {
  const text = digitsOf(typed);
  if (text.startsWith('+')) return anyNumber.test(text.slice(1)) ? text : undefined;
  const isNumber = region === defaultRegion ? mainlandMobile.test(text) : anyNumber.test(text);
  return isNumber ? `+${region}${text}` : undefined;
}
