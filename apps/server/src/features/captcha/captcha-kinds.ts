import type { CaptchaType } from '@tongtu/contract';

/** Quick for people, and guessed now and then: only for networks that have not been wrong lately. */
export const gentleTypes = ['slide', 'drag', 'rotate'] as const satisfies CaptchaType[];
/** Nobody guesses it: one right answer is enough. */
export const STRONG_TYPE = 'click' satisfies CaptchaType;

export function isStrong(type: CaptchaType): boolean {
  return type === STRONG_TYPE;
}
