/** What a test makes the fake provider do from now on. */
export type FakeBehaviour = {
  /** `hold` keeps notifications until they are released; `drop` loses them. */
  notifications: 'send' | 'hold' | 'drop';
  /** How often each notification is sent. */
  copies: number;
  /** What becomes of further refunds. `no-balance`: the merchant's account is empty. */
  refunds: 'done' | 'pending' | 'failed' | 'no-balance';
  /** How far the provider's clock is ahead of this one. */
  clockOffsetMs: number;
  /** What goes wrong with further calls of the API. */
  fault: 'none' | 'silent' | 'giant' | 'truncated' | 'wrong-signature' | 'unavailable';
  /** Whether the day's bill is still being made. */
  isBillReady: boolean;
};

export function usualBehaviour(): FakeBehaviour {
  return { notifications: 'send', copies: 1, refunds: 'done', clockOffsetMs: 0, fault: 'none', isBillReady: true };
}
