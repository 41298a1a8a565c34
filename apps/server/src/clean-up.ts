import type { Logger } from 'pino';
import type { Db } from './db/driver.ts';
import { deleteOldAccessRequests } from './features/access-requests/index.ts';
import { deleteDueAccounts } from './features/account-data/index.ts';
import { deleteOldDeliveries, deleteOldKnownLogins } from './features/alerts/index.ts';
import { deleteExpiredBindings } from './features/bindings/index.ts';
import { deleteOldCaptchas } from './features/captcha/index.ts';
import { deleteOldAppSessions, deleteOldWakes } from './features/cloud-apps/index.ts';
import { deleteExpiredCodes } from './features/codes/index.ts';
import { deleteOldLoginSeconds } from './features/frpc-devices/index.ts';
import { deleteOldAttempts } from './features/device-attempts/index.ts';
import { deleteOldConnections } from './features/devices/index.ts';
import { deleteOldLanHosts } from './features/discovery/index.ts';
import { deleteOldEnrolmentKeys } from './features/enrolment-keys/index.ts';
import { deleteOldTickets } from './features/gate/index.ts';
import { handOverFirstAdmin } from './features/installation/index.ts';
import { deleteExpiredLoginSteps } from './features/login-steps/index.ts';
import { deleteOldMappingRecords, deleteOldReleasedPrefixes } from './features/mappings/index.ts';
import { deleteOldNetworks } from './features/invitation-rewards/index.ts';
import { deleteExpiredInvitations } from './features/invitations/index.ts';
import { deleteOldRefusedVisits } from './features/refused-visits/index.ts';
import { deleteStalePresence } from './features/relays/index.ts';
import { deleteExpiredPasskeyChallenges } from './features/second-factor/index.ts';
import { deleteExpiredSessions } from './features/sessions/index.ts';
import { deleteExpiredSsoLogins } from './features/sso/index.ts';
import { deleteEndedMembers, deleteOldShareLinks } from './features/sharing/index.ts';
import { deleteOldUsage } from './features/usage/index.ts';
import { deleteOldTrusted } from './features/trusted-browsers/index.ts';
import { deleteExpiredTokenSigns, deleteRetiredTokens } from './features/users/index.ts';
import { deleteOldVerifications } from './features/verifications/index.ts';
import { deleteOldVisits } from './features/visits/index.ts';
import { deleteOldFailures } from './http/limits/failed-attempts.ts';
import { deleteOldRateCounts } from './http/limits/rate-limit.ts';
import { runEvery } from './jobs/run-every.ts';

const steps = [
  deleteExpiredSessions,
  deleteExpiredSsoLogins,
  deleteExpiredLoginSteps,
  deleteExpiredPasskeyChallenges,
  deleteExpiredTokenSigns,
  deleteExpiredBindings,
  deleteRetiredTokens,
  deleteOldEnrolmentKeys,
  deleteOldAttempts,
  deleteOldLoginSeconds,
  deleteExpiredInvitations,
  deleteOldFailures,
  deleteOldCaptchas,
  deleteStalePresence,
  deleteOldConnections,
  deleteOldVerifications,
  deleteOldRefusedVisits,
  deleteOldAppSessions,
  deleteOldWakes,
  deleteOldLanHosts,
  deleteOldMappingRecords,
  deleteOldReleasedPrefixes,
  deleteOldAccessRequests,
  deleteEndedMembers,
  deleteOldShareLinks,
  deleteOldTickets,
  deleteOldUsage,
  deleteOldVisits,
  deleteOldRateCounts,
  deleteExpiredCodes,
  deleteOldDeliveries,
  deleteOldKnownLogins,
  deleteOldTrusted,
  deleteOldNetworks,
];

const HOUR_MS = 3_600_000;
/** An account is deleted at the time that its owner was shown, give or take this. */
const DELETE_ACCOUNTS_EVERY_MS = 5_000;

/** Until disposed, deletes expired rows every hour, and accounts as soon as they are due. */
export function runCleanUp(
  db: Db,
  log: Logger,
  { deleteAccountsEveryMs = DELETE_ACCOUNTS_EVERY_MS } = {},
): AsyncDisposable {
  const parts = new AsyncDisposableStack();
  parts.use(runEvery({ name: 'clean up', everyMs: HOUR_MS, run: () => cleanUp(db, log) }, log));
  const deleteAccounts = async (): Promise<void> => await deleteDueAccounts({ db, log, handOver: handOverFirstAdmin });
  parts.use(runEvery({ name: 'delete accounts', everyMs: deleteAccountsEveryMs, run: deleteAccounts }, log));
  return parts;
}

/** Deletes rows that nobody can use any more. A step that fails is logged, and the next one runs. */
export async function cleanUp(db: Db, log: Logger): Promise<void> {
  for (const step of steps) {
    try {
      await step(db);
    } catch (err) {
      log.error({ err, step: step.name }, 'clean-up step failed');
    }
  }
}
