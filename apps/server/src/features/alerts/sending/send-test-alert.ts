import { createHash } from 'node:crypto';
import { AppError, type AlertFailure } from '@tongtu/contract';
import type { Db } from '../../../db/driver.ts';
import { countAgainst } from '../../../http/limits/rate-limit.ts';
import { writeMessage } from './alert-message.ts';
import type { AlertDetails } from '../alert-details.ts';
import type { SenderDeps } from './alert-sender.ts';
import { findSendingChannel } from '../channel-store.ts';
import { findDelivery, insertTestDelivery, type ListedDelivery } from '../delivery-store.ts';
import { sendMessage } from './send-message.ts';
import { recordChannelFailure, recordFailure, recordSent } from './sending-store.ts';

const MAX_PER_MINUTE = 5;
/** A double click on the button sends one test. */
const PAUSE_SECONDS = 5;

/**
 * Sends a test message at once, without a retry, also by a disabled channel or one that is sending another message.
 * Throws alert.channel-not-found, request.too-many.
 */
export async function sendTestAlert(deps: SenderDeps, own: { id: number; userId: number }): Promise<ListedDelivery> {
  const { db } = deps;
  const channel = await findSendingChannel(db, own);
  if (!channel) throw new AppError('alert.channel-not-found');
  // The key contains the target, so that a corrected target can be tested at once.
  const target = createHash('sha256').update(channel.targetSealed).digest('base64url');
  await countAgainst(db, { name: 'alert test by', key: `${own.id} ${target}`, max: 1, windowSeconds: PAUSE_SECONDS });
  await countAgainst(db, { name: 'alert test', key: String(own.userId), max: MAX_PER_MINUTE, windowSeconds: 60 });
  const details: AlertDetails = { event: 'test', at: new Date().toISOString(), channel: channel.name };
  const id = await insertTestDelivery(db, own.id, details);
  const message = writeMessage(deps.consoleUrl, details);
  const failure = await sendMessage(deps, { ...channel, userId: own.userId }, message, neverAborted);
  await recordOutcome(db, { id, channelId: own.id }, failure);
  const delivery = await findDelivery(db, id);
  if (!delivery) throw new AppError('alert.channel-not-found'); // deleted while the message was sent
  return delivery;
}

/** A stopping server lets open calls finish, and sending has a timeout of its own. */
const neverAborted = new AbortController().signal;

async function recordOutcome(
  db: Db,
  delivery: { id: number; channelId: number },
  failure: AlertFailure | undefined,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    if (failure === undefined) await recordSent(tx, delivery);
    else {
      await recordFailure(tx, delivery.id, { failure });
      await recordChannelFailure(tx, delivery.channelId, failure);
    }
  });
}
