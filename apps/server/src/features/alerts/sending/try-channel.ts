import { createHash } from 'node:crypto';
import { AppError, type AlertFailure } from '@tongtu/contract';
import type { Db } from '../../../db/driver.ts';
import { countAgainst } from '../../../http/rate-limit.ts';
import { writeMessage } from './alert-message.ts';
import type { AlertDetails } from '../alert-details.ts';
import type { SenderDeps } from './alert-sender.ts';
import { findSendingChannel } from '../channel-store.ts';
import { findDelivery, insertTest, type ListedDelivery } from '../delivery-store.ts';
import { sendMessage } from './send-message.ts';
import { recordChannelFailure, recordFailure, recordSent } from './sending-store.ts';

const MAX_A_MINUTE = 5;
/** A button pressed twice is one test. */
const PAUSE_SECONDS = 5;

/**
 * Sends a test by the channel at once, also by one that is switched off, and beside what else is being sent by it; tried
 * once. Throws alert.channel-not-found, request.too-many.
 */
export async function tryChannel(deps: SenderDeps, own: { id: number; userId: number }): Promise<ListedDelivery> {
  const { db } = deps;
  const channel = await findSendingChannel(db, own);
  if (!channel) throw new AppError('alert.channel-not-found');
  // A target that has been mended may be tried at once.
  const target = createHash('sha256').update(channel.targetSealed).digest('base64url');
  await countAgainst(db, { name: 'alert test by', key: `${own.id} ${target}`, max: 1, windowSeconds: PAUSE_SECONDS });
  await countAgainst(db, { name: 'alert test', key: String(own.userId), max: MAX_A_MINUTE, windowSeconds: 60 });
  const details: AlertDetails = { event: 'test', at: new Date().toISOString(), channel: channel.name };
  const id = await insertTest(db, own.id, details);
  const message = writeMessage(deps.consoleUrl, details);
  const failure = await sendMessage(deps, { ...channel, userId: own.userId }, message, neverStopped);
  await noteOutcome(db, { id, channelId: own.id }, failure);
  const delivery = await findDelivery(db, id);
  if (!delivery) throw new AppError('alert.channel-not-found'); // deleted meanwhile
  return delivery;
}

/** A call that is under way is let finish, and has its own time limit. */
const neverStopped = new AbortController().signal;

async function noteOutcome(
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
