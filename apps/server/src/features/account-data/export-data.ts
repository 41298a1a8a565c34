import type { Db } from '../../db/driver.ts';
import { describeSecurity } from './describe-security.ts';
import {
  exportAccount,
  exportAlertChannels,
  exportAlerts,
  exportApiTokens,
  exportDevices,
  exportDeletedMappings,
  exportInvitations,
  exportKnownLogins,
  exportMappings,
  exportMembers,
  exportMemberships,
  exportReleasedPrefixes,
  exportSessions,
  exportShareLinks,
  exportUsage,
  exportVerifications,
  exportVisits,
} from './export-store.ts';

/** Everything that is kept about the account and what belongs to it, without secrets; from one moment. */
export async function exportData(db: Db, userId: number, now: Date): Promise<Record<string, unknown>> {
  return await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => ({
      exported_at: now.toISOString(),
      account: forReading(await exportAccount(tx, userId)),
      security: await describeSecurity(tx, userId),
      sessions: forReading(await exportSessions(tx, userId)),
      known_logins: forReading(await exportKnownLogins(tx, userId)),
      api_tokens: forReading(await exportApiTokens(tx, userId)),
      devices: forReading(await exportDevices(tx, userId)),
      mappings: forReading(await exportMappings(tx, userId)),
      released_prefixes: forReading(await exportReleasedPrefixes(tx, userId)),
      share_links: forReading(await exportShareLinks(tx, userId)),
      members: forReading(await exportMembers(tx, userId)),
      invitations: forReading(await exportInvitations(tx, userId)),
      shared_with_me: forReading(await exportMemberships(tx, userId)),
      verifications: forReading(await exportVerifications(tx, userId)),
      deleted_mappings: forReading(await exportDeletedMappings(tx, userId)),
      visits: forReading(await exportVisits(tx, userId)),
      alert_channels: forReading(await exportAlertChannels(tx, userId)),
      alerts: forReading(await exportAlerts(tx, userId)),
      usage_by_day: forReading(await exportUsage(tx, userId)),
    }));
}

/** Rows as the API names things: fields in snake_case, times in ISO 8601. */
function forReading(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(forReading);
  if (value instanceof Date) return value.toISOString();
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, held]) => [
      name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      forReading(held),
    ]),
  );
}
