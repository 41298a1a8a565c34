import { AppError } from '@tongtu/contract';
import { assertConfirmed, type Session } from '../../../http/session.ts';
import type { CloudAppRow } from '../cloud-app-store.ts';

/**
 * Beside being the owner or a member: what opening an app, or waking its host, needs now. Throws cloud-app.disabled,
 * cloud-app.second-factor-missing, session.confirm-required.
 */
export function assertMayOpen(
  app: Pick<CloudAppRow, 'enabled' | 'isDeviceEnabled' | 'needsSecondFactor'>,
  session: Session,
  { hasFactor }: { hasFactor: boolean },
): void {
  if (!app.enabled || !app.isDeviceEnabled) throw new AppError('cloud-app.disabled');
  if (!app.needsSecondFactor) return;
  // A confirmation uses the second factor wherever the account has one.
  if (!hasFactor) throw new AppError('cloud-app.second-factor-missing');
  assertConfirmed(session);
}
