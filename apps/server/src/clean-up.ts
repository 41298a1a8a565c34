import type { Logger } from 'pino';
import type { Db } from './db/driver.ts';
import { deleteDueAccounts } from './features/account-data/index.ts';
import { deleteOldDeliveries, deleteOldKnownLogins } from './features/alerts/index.ts';
import { deleteOldCaptchas } from './features/captcha/index.ts';
import { deleteExpiredCodes } from './features/codes/index.ts';
import { deleteOldGuesses } from './features/gate/index.ts';
import { handOverFirstAdmin } from './features/installation/index.ts';
import { deleteForsakenPresence } from './features/relays/index.ts';
import { deleteExpiredSecondSteps } from './features/second-factor/index.ts';
import { deleteExpiredSessions } from './features/sessions/index.ts';
import { deleteExpiredSsoLogins } from './features/sso/index.ts';
import { deleteOldShareLinks } from './features/sharing/index.ts';
import { deleteOldUsage } from './features/usage/index.ts';
import { deleteExpiredTokenSigns, deleteRetiredTokens, deleteOldFailures } from './features/users/index.ts';
import { deleteOldVerifications } from './features/verifications/index.ts';
import { deleteOldRateCounts } from './http/rate-limit.ts';

const steps = [
  deleteExpiredSessions,
  deleteExpiredSsoLogins,
  deleteExpiredSecondSteps,
  deleteLeavingAccounts,
  deleteExpiredTokenSigns,
  deleteRetiredTokens,
  deleteOldFailures,
  deleteOldCaptchas,
  deleteForsakenPresence,
  deleteOldVerifications,
  deleteOldShareLinks,
  deleteOldGuesses,
  deleteOldUsage,
  deleteOldRateCounts,
  deleteExpiredCodes,
  deleteOldDeliveries,
  deleteOldKnownLogins,
];

/** Deletes what nobody can use any more, and the accounts whose time has come. A step that fails is logged. */
export async function cleanUp(db: Db, log: Logger): Promise<void> {
  for (const step of steps) {
    try {
      await step(db, log);
    } catch (err) {
      log.error({ err, step: step.name }, 'clean-up step failed');
    }
  }
}

async function deleteLeavingAccounts(db: Db, log: Logger): Promise<void> {
  await deleteDueAccounts({ db, log, handOver: handOverFirstAdmin });
}
