import { isDeepStrictEqual } from 'node:util';
import { must } from '@tongtu/base';
import { AppError, type CloudAppCreate, type CloudAppPatch, MAX_CLOUD_APPS_PER_DEVICE } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import { assertConfirmed, type Caller } from '../../http/session.ts';
import { announceAppSessions, announceCloudAppChange, type DeviceChange } from '../live/index.ts';
import { readPrivateHost } from '../mappings/index.ts';
import { assertMayUseApp } from '../plans/index.ts';
import { listAppMemberIds } from './app-member-store.ts';
import { changeSecrets, sealSecrets, unsealSecrets } from './app-secrets.ts';
import { assertMayChange, assertMayStayOpen } from './assert-may-change.ts';
import { assertFitsKind, assertHasMac, changeOptions, defaultPortOf } from './app-settings.ts';
import {
  type CloudAppRow,
  copyHostKey,
  countAppsOfDevice,
  deleteCloudApp,
  findCloudApp,
  findOwnAppForNoKeyUpdate,
  insertCloudApp,
  type LockedApp,
  lockDeviceForNoKeyUpdate,
  takeAppId,
  updateCloudApp,
} from './cloud-app-store.ts';

export type CloudAppDeps = { db: Db; sealingKey: Buffer };
type OwnApp = { id: number; userId: number };
type ChangedApp = Caller & { id: number };
/** With the change that relays must be sent; undefined if nothing changed. */
export type SavedApp = { app: CloudAppRow; change: DeviceChange | undefined };

/**
 * Creates an app of the caller's device. Throws device.not-found, session.confirm-required, cloud-app.managed-by-frpc, cloud-app.limit-reached, cloud-app.option-not-possible,
 * mapping.target-not-private, mapping.target-credentials, plan.expired, plan.app-kind.
 */
export async function createCloudApp(
  { db, sealingKey }: CloudAppDeps,
  caller: Caller,
  { router: deviceId, kind, name, host, port = defaultPortOf(kind), ...input }: CloudAppCreate,
): Promise<SavedApp> {
  assertFitsKind(kind, input);
  assertHasMac(kind, input.options);
  const target = { targetHost: readPrivateHost(host), targetPort: port };
  const { userId } = caller;
  const { options, needs_second_factor: needsSecondFactor } = input;
  return await db.transaction().execute(async (tx) => {
    const device = await lockDeviceForNoKeyUpdate(tx, { deviceId, userId });
    if (device === undefined) throw new AppError('device.not-found');
    if (device.frpcLogin !== null) throw new AppError('cloud-app.managed-by-frpc');
    await assertMayUseApp(tx, deviceId, kind);
    if (!needsSecondFactor) await assertMayStayOpen(tx, caller);
    if ((await countAppsOfDevice(tx, deviceId)) >= MAX_CLOUD_APPS_PER_DEVICE)
      throw new AppError('cloud-app.limit-reached');
    const id = await takeAppId(tx);
    const secrets = sealSecrets(sealingKey, id, changeSecrets({}, input.secrets));
    const wakeTimes = JSON.stringify(input.wake_times);
    await insertCloudApp(tx, {
      id,
      deviceId,
      kind,
      name,
      ...target,
      options,
      wakeTimes,
      needsSecondFactor,
      ...secrets,
    });
    await copyHostKey(tx, id);
    const change = await announceCloudAppChange(tx, { deviceId, userIds: [userId] });
    return { app: must(await findCloudApp(tx, id, userId), 'the new app'), change };
  });
}

/**
 * Changes the given fields of the caller's app. Sessions that began under other settings end. Throws cloud-app.not-found,
 * session.confirm-required and what createCloudApp throws for fields.
 */
export async function changeCloudApp(deps: CloudAppDeps, app: ChangedApp, patch: CloudAppPatch): Promise<SavedApp> {
  const { id, userId } = app;
  return await deps.db.transaction().execute(async (tx) => {
    const before = await getOwnAppForChange(tx, app);
    assertFitsKind(before.kind, patch);
    if (patch.enabled !== false) await assertMayUseApp(tx, before.deviceId, before.kind);
    const { changes, endsSessions } = changesOf(deps.sealingKey, before, patch);
    await assertMayChange(tx, app, before, { changes, forgetsHostKey: patch.host_key === null });
    const hasChanges = Object.keys(changes).length > 0;
    if (hasChanges) await updateCloudApp(tx, id, changes, { endsSessions });
    const userIds = [userId, ...(await listAppMemberIds(tx, id))];
    const change = hasChanges ? await announceCloudAppChange(tx, { deviceId: before.deviceId, userIds }) : undefined;
    return { app: must(await findCloudApp(tx, id, userId), 'the locked app'), change };
  });
}

/**
 * Deletes an app. Its sessions end and stay as records. Throws cloud-app.not-found, and session.confirm-required for one that
 * needs the second factor.
 */
export async function removeCloudApp(db: Db, app: ChangedApp): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { deviceId, needsSecondFactor } = await getOwnAppForChange(tx, app);
    if (needsSecondFactor) assertConfirmed(app);
    const userIds = [app.userId, ...(await listAppMemberIds(tx, app.id))];
    await deleteCloudApp(tx, app.id);
    await announceAppSessions(tx, userIds); // records of the app show that it is deleted
    await announceCloudAppChange(tx, { deviceId, userIds });
  });
}

/** Locks the user's own app. Throws cloud-app.not-found, also for an app that the user may only open. */
export async function getOwnAppForChange(tx: Db, { id, userId }: OwnApp): Promise<LockedApp> {
  const app = await findOwnAppForNoKeyUpdate(tx, id, userId);
  if (!app) throw new AppError('cloud-app.not-found');
  return app;
}

function changesOf(
  sealingKey: Buffer,
  before: LockedApp,
  patch: CloudAppPatch,
): { changes: Parameters<typeof updateCloudApp>[2]; endsSessions: boolean } {
  const target = {
    targetHost: patch.host === undefined ? before.targetHost : readPrivateHost(patch.host),
    targetPort: patch.port ?? before.targetPort,
  };
  const isMoved = target.targetHost !== before.targetHost || target.targetPort !== before.targetPort;
  const options = changeOptions(before.options, patch.options);
  assertHasMac(before.kind, options);
  const hasOtherOptions = !isDeepStrictEqual(options, before.options);
  // Sessions do not know the MAC address.
  const speaksOtherwise = !isDeepStrictEqual({ ...options, mac: '' }, { ...before.options, mac: '' });
  // Another target has another host key.
  const forgetsHostKey = before.hostKey !== null && (patch.host_key === null || isMoved);
  const isElsewhere = isMoved || options.tls !== before.options.tls;
  const secrets = secretsOf(sealingKey, before, { given: patch.secrets, isElsewhere });
  const needsSecondFactor = patch.needs_second_factor;
  const changes = {
    ...(patch.name !== undefined && { name: patch.name }),
    ...(isMoved && target),
    ...(hasOtherOptions && { options }),
    ...secrets,
    ...(forgetsHostKey && { hostKey: null }),
    ...(needsSecondFactor !== undefined && { needsSecondFactor }),
    ...(patch.wake_times !== undefined && { wakeTimes: JSON.stringify(patch.wake_times) }),
    ...(patch.enabled !== undefined && { enabled: patch.enabled }),
  };
  const isStricter = needsSecondFactor === true && !before.needsSecondFactor;
  const endsSessions = isMoved || speaksOtherwise || secrets !== undefined || forgetsHostKey || isStricter;
  return { changes, endsSessions };
}

/**
 * Undefined when the stored secrets stay as they are. They belong to their target: a user who can change the target must
 * not have them sent elsewhere, or in the clear.
 */
function secretsOf(
  sealingKey: Buffer,
  { id, secretsSealed }: LockedApp,
  { given = {}, isElsewhere }: { given: CloudAppPatch['secrets']; isElsewhere: boolean },
) {
  const stored = unsealSecrets(sealingKey, id, secretsSealed);
  const after = changeSecrets(isElsewhere ? {} : stored, given);
  return isDeepStrictEqual(after, stored) ? undefined : sealSecrets(sealingKey, id, after);
}
