import type { Db } from './db/driver.ts';
import { deleteDueAccounts } from './features/account-data/index.ts';
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

/** Deletes what nobody can use any more, and the accounts whose time has come. */
export async function cleanUp(db: Db): Promise<void> {
  await deleteExpiredSessions(db);
  await deleteExpiredSsoLogins(db);
  await deleteExpiredSecondSteps(db);
  await deleteDueAccounts({ db, handOver: handOverFirstAdmin });
  await deleteExpiredTokenSigns(db);
  await deleteRetiredTokens(db);
  await deleteOldFailures(db);
  await deleteOldCaptchas(db);
  await deleteForsakenPresence(db);
  await deleteOldVerifications(db);
  await deleteOldShareLinks(db);
  await deleteOldGuesses(db);
  await deleteOldUsage(db);
  await deleteOldRateCounts(db);
  await deleteExpiredCodes(db);
}
