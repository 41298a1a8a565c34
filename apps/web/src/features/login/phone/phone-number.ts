/** Mainland China, the default until the server lists its regions. */
export const defaultRegion = '86';

/** Mobile numbers of mainland China; the server checks other regions. */
const mainlandMobile = /^1\d{10}$/;
const anyNumber = /^\d{4,15}$/;

function digitsOf(text: string): string {
  return text.replaceAll(/[\s()-]/g, '');
}

/** The number with its region in the server's format; undefined when it is invalid. */
export function completeNumber(region: string, typed: string): string | undefined {
  const text = digitsOf(typed);
  if (text.startsWith('+')) return anyNumber.test(text.slice(1)) ? text : undefined;
  const isNumber = region === defaultRegion ? mainlandMobile.test(text) : anyNumber.test(text);
  return isNumber ? `+${region}${text}` : undefined;
}
