import type { Db } from '../../db/driver.ts';
import { describeSecurity } from './describe-security.ts';
import {
  exportAccount,
  exportAlertChannels,
  exportAlerts,
  exportApiTokens,
  exportCloudAppMembers,
  exportCloudAppMemberships,
  exportCloudApps,
  exportCloudAppSessions,
  exportCloudAppWakes,
  exportDeviceConnections,
  exportDevices,
  exportDeletedMappings,
  exportEnrolmentKeys,
  exportInvitationRewards,
  exportInvitations,
  exportKnownLogins,
  exportLanHosts,
  exportLanServices,
  exportMappings,
  exportAccessRequests,
  exportMembers,
  exportProductKeys,
  exportMemberships,
  exportRefusedVisits,
  exportReleasedPrefixes,
  exportSessions,
  exportShareLinks,
  exportTrustedBrowsers,
  exportVerifications,
  exportVisitorLog,
  exportVisits,
} from './export-store.ts';
import { exportUptime, exportUsage, exportUsagePlaces, exportUsageVisitors } from './export-usage-store.ts';

/** All data of the account and of what belongs to it, without secrets, from one snapshot of the database. */
export async function exportData(db: Db, userId: number, now: Date): Promise<Record<string, unknown>> {
  return await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => ({
      exported_at: now.toISOString(),
      account: toApiForm(await exportAccount(tx, userId)),
      security: await describeSecurity(tx, userId),
      sessions: toApiForm(await exportSessions(tx, userId)),
      known_logins: toApiForm(await exportKnownLogins(tx, userId)),
      trusted_browsers: toApiForm(await exportTrustedBrowsers(tx, userId)),
      api_tokens: toApiForm(await exportApiTokens(tx, userId)),
      enrolment_keys: toApiForm(await exportEnrolmentKeys(tx, userId)),
      devices: toApiForm(await exportDevices(tx, userId)),
      device_connections: toApiForm(await exportDeviceConnections(tx, userId)),
      lan_hosts: toApiForm(await exportLanHosts(tx, userId)),
      lan_services: toApiForm(await exportLanServices(tx, userId)),
      mappings: toApiForm(await exportMappings(tx, userId)),
      released_prefixes: toApiForm(await exportReleasedPrefixes(tx, userId)),
      share_links: toApiForm(await exportShareLinks(tx, userId)),
      members: toApiForm(await exportMembers(tx, userId)),
      access_requests: toApiForm(await exportAccessRequests(tx, userId)),
      invitations: toApiForm(await exportInvitations(tx, userId)),
      shared_with_me: toApiForm(await exportMemberships(tx, userId)),
      verifications: toApiForm(await exportVerifications(tx, userId)),
      refused_visits: toApiForm(await exportRefusedVisits(tx, userId)),
      deleted_mappings: toApiForm(await exportDeletedMappings(tx, userId)),
      visits: toApiForm(await exportVisits(tx, userId)),
      visitor_log: toApiForm(await exportVisitorLog(tx, userId)),
      cloud_apps: toApiForm(await exportCloudApps(tx, userId)),
      cloud_app_members: toApiForm(await exportCloudAppMembers(tx, userId)),
      cloud_apps_shared_with_me: toApiForm(await exportCloudAppMemberships(tx, userId)),
      cloud_app_sessions: toApiForm(await exportCloudAppSessions(tx, userId)),
      cloud_app_wakes: toApiForm(await exportCloudAppWakes(tx, userId)),
      product_keys: toApiForm(await exportProductKeys(tx, userId)),
      invitation_rewards: toApiForm(await exportInvitationRewards(tx, userId)),
      alert_channels: toApiForm(await exportAlertChannels(tx, userId)),
      alerts: toApiForm(await exportAlerts(tx, userId)),
      usage_by_day: toApiForm(await exportUsage(tx, userId)),
      usage_places_by_day: toApiForm(await exportUsagePlaces(tx, userId)),
      usage_visitors_by_day: toApiForm(await exportUsageVisitors(tx, userId)),
      uptime_by_day: toApiForm(await exportUptime(tx, userId)),
    }));
}

/** Converts rows to the API's form: fields in snake_case, times in ISO 8601. */
function toApiForm(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toApiForm);
  if (value instanceof Date) return value.toISOString();
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, held]) => [
      name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      toApiForm(held),
    ]),
  );
}
