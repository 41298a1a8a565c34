import type { CaptchaType } from '@tongtu/contract';

/** Quick to solve, but sometimes guessed by scripts: only for networks without a recent wrong answer. */
export const gentleTypes = ['slide', 'drag', 'rotate'] as const satisfies CaptchaType[];
/** Practically not guessable, so one right answer is enough. */
export const STRONG_TYPE = 'click' satisfies CaptchaType;

export function isStrong(type: CaptchaType): boolean {
  return type === STRONG_TYPE;
}
