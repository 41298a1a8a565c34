import {
  AppError,
  MAX_ALERT_CHANNELS,
  type AlertChannelCreate,
  type AlertChannelPatch,
  type AlertTarget,
} from '@tongtu/contract';
import { must } from '@tongtu/base';
import type { Db } from '../../db/driver.ts';
import { assertConfirmed, type Caller } from '../../http/session.ts';
import type { Mailer } from '../mail/index.ts';
import {
  deleteChannel,
  findChannel,
  findEmail,
  insertChannel,
  updateChannel,
  type ChannelChanges,
  type ChannelRow,
} from './channel-store.ts';
import { sealTarget } from './sending/channel-target.ts';
import type { AllowedAddresses } from '../../http/public-address.ts';

export type ChannelDeps = {
  db: Db;
  sealingKey: Buffer;
  allowedAddresses: AllowedAddresses;
  mailer: Mailer | undefined;
};

/** Throws alert.mail-unavailable, alert.email-missing, alert.address-refused, alert.limit-reached. */
export async function addChannel(deps: ChannelDeps, userId: number, input: AlertChannelCreate): Promise<ChannelRow> {
  const { name, events, target } = input;
  const { kind } = target;
  requireMailer(deps, target);
  const sealed = sealTarget(deps, { userId }, target);
  return await deps.db.transaction().execute(async (tx) => {
    if (kind === 'email' && (await findEmail(tx, userId)) === '') throw new AppError('alert.email-missing');
    const id = await insertChannel(tx, { ...sealed, userId, kind, name, events }, MAX_ALERT_CHANNELS);
    if (id === undefined) throw new AppError('alert.limit-reached');
    return must(await findChannel(tx, { id, userId }), 'the new channel');
  });
}

/**
 * Another target, or fewer messages, need a confirmation. Throws session.confirm-required, alert.channel-not-found,
 * alert.kind-fixed, alert.mail-unavailable, alert.address-refused.
 */
export async function changeChannel(
  deps: ChannelDeps,
  own: Caller & { id: number },
  patch: AlertChannelPatch,
): Promise<ChannelRow> {
  return await deps.db.transaction().execute(async (tx) => {
    const channel = await getChannel(tx, own);
    const { name, events, enabled, target } = patch;
    if (target && target.kind !== channel.kind) throw new AppError('alert.kind-fixed');
    if (target) requireMailer(deps, target);
    const changes: ChannelChanges = {
      ...(name !== undefined && { name }),
      ...(events !== undefined && { events }),
      ...(enabled !== undefined && { enabled }),
      ...(target && sealTarget(deps, own, target)),
    };
    const isSilenced = events !== undefined && channel.events.some((event) => !events.includes(event));
    if (target || isSilenced || (channel.enabled && enabled === false)) assertConfirmed(own);
    if (Object.keys(changes).length > 0) await updateChannel(tx, own.id, changes);
    return await getChannel(tx, own);
  });
}

/** Deletes the channel's pending deliveries, too. Throws alert.channel-not-found. */
export async function removeChannel(db: Db, own: { id: number; userId: number }): Promise<void> {
  if (!(await deleteChannel(db, own))) throw new AppError('alert.channel-not-found');
}

/** Refuses new mail targets only. Mail channels from a time when the server had a mailer stay. */
function requireMailer({ mailer }: ChannelDeps, { kind }: AlertTarget): void {
  if (kind === 'email' && !mailer) throw new AppError('alert.mail-unavailable');
}

async function getChannel(db: Db, own: { id: number; userId: number }): Promise<ChannelRow> {
  const channel = await findChannel(db, own);
  if (!channel) throw new AppError('alert.channel-not-found');
  return channel;
}
