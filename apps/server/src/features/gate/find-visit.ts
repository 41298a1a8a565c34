import { type AccessRules, AppError, type CheckReason, type Denial } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import { findDevice, type DeviceRow } from '../devices/index.ts';
import { planEndsAtMs } from '../plans/index.ts';
import { findCoveringMapping, type MappedHost, openingTimes, placeOfHost } from '../mappings/index.ts';
import type { HttpsDeps } from './address/https-address.ts';
import { portOf, readVisitedUrl, type VisitedUrl } from './address/visited-url.ts';

export type FindVisitDeps = HttpsDeps & {
  db: Db;
  allowedPorts: number[];
  wallClockMs: () => number;
};

/** Where an address that a visitor wants to open leads. */
export type Visit =
  | { type: 'mapping'; visited: VisitedUrl; mapped: MappedHost; device: DeviceRow }
  | { type: 'console'; visited: VisitedUrl }
  | { type: 'nowhere'; visited: VisitedUrl };
export type MappingVisit = Extract<Visit, { type: 'mapping' }>;

/**
 * Throws gate.url-not-allowed for an address that is neither a mapping's nor the console's page. `consoleHost` is the host
 * under which the visitor's browser has opened the console.
 */
export async function findVisit(
  deps: FindVisitDeps,
  { url, consoleHost }: { url: string; consoleHost: string },
): Promise<Visit> {
  const { db } = deps;
  const visited = readVisitedUrl(url);
  if (!visited || !isOwnPort(deps, visited)) throw new AppError('gate.url-not-allowed');
  const mapped = await findCoveringMapping(db, visited.host);
  const device = mapped && (await findDevice(db, mapped.deviceId));
  if (mapped && device) return { type: 'mapping', visited, mapped, device };

  const place = await placeOfHost(db, visited.host);
  const isConsole = place === 'suffix' || [new URL(deps.publicUrl).hostname, consoleHost].includes(visited.host);
  if (isConsole && isConsolePage(visited)) return { type: 'console', visited };
  if (place === 'below_suffix') return { type: 'nowhere', visited };
  throw new AppError('gate.url-not-allowed');
}

/** The console has one page. Its other paths are calls, and a GET of some changes state. */
function isConsolePage({ pathAndQuery }: VisitedUrl): boolean {
  return pathAndQuery.split('?', 1)[0] === '/';
}

function isOwnPort({ publicUrl, allowedPorts }: FindVisitDeps, visited: VisitedUrl): boolean {
  return [...allowedPorts, portOf(new URL(publicUrl))].includes(visited.port);
}

/** The reason that the console shows when no visitor may come in now; undefined when a proof would help. */
export const closedReasons: Readonly<Record<Denial, CheckReason | undefined>> = {
  'mapping-disabled': 'mapping_disabled',
  'device-disabled': 'device_disabled',
  'plan-ended': 'plan_expired',
  'over-plan-limit': 'over_plan_limit',
  'closed-by-owner': 'closed',
  'not-open-yet': 'not_open_yet',
  closed: 'closed',
  'outside-hours': 'outside_hours',
  'needs-verification': undefined,
  'other-site': undefined,
};

/** The access rules without verifications. The relays use the same rules and know the verifications as well. */
export function accessRulesOf({ mapped, device }: MappingVisit): AccessRules {
  const { mappingEnabled: enabled, isOverPlanLimit, policy } = mapped;
  const verifications = { verifiedIps: [], extendedVerifications: [], revokedVerifications: [] };
  return {
    route: { enabled, isOverPlanLimit, policy, ...openingTimes(mapped), ...verifications },
    owner: { device: { ...device, planEndsAtMs: planEndsAtMs(device.allowance) } },
  };
}
