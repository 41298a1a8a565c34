import type { NewPayment } from './payment-provider.ts';
import type { ProviderClock } from './provider-clock.ts';

/** Two hours by the documentation of both providers, less a margin for somebody who has just scanned it. */
const QR_VALID_MS = (120 - 5) * 60_000;

/** When the QR code of a payment ends that was created just now. */
export function qrExpiry({ expiresAt }: NewPayment, clock: ProviderClock): Date {
  return new Date(Math.min(expiresAt.getTime(), clock.wallClockMs() + QR_VALID_MS));
}
