import { generateSync } from 'otplib';

const STEP_SECONDS = 30;

/** The code of an authenticator app, now or `stepsLater` × 30 seconds later. */
export function totpCode(secret: string, { stepsLater = 0 }: { stepsLater?: number } = {}): string {
  return generateSync({ secret, epoch: Math.floor(Date.now() / 1000) + stepsLater * STEP_SECONDS });
}
