import { setTimeout as wait } from 'node:timers/promises';
import type { AlertFailure } from '@tongtu/contract';
import type { Logger } from 'pino';
import type { Db } from '../../db/driver.ts';
import { absenceKey, writeMessage } from './alert-message.ts';
import type { AlertNews } from './alert-news.ts';
import { sendMessage, type SendDeps } from './send-message.ts';
import {
  claimDelivery,
  dropDelivery,
  dropUnwanted,
  freeChannel,
  listSpokenDevices,
  recordFailure,
  recordSent,
  type ClaimedDelivery,
} from './sending-store.ts';

export type SenderDeps = SendDeps & { consoleUrl: string; log: Logger };

/** Many of them may wait for peers that say nothing, and the others still go on. */
const MAX_AT_ONCE = 8;
const RETRY_SECONDS = [30, 120, 600, 1800, 7200];
const FINAL: readonly AlertFailure[] = ['rejected', 'address_refused', 'email_missing'];

/**
 * Sends everything that is due, a few at a time and one at a time by each channel. Any number of server processes may do
 * so at once. A process that is killed after sending and before noting it sends the message once more when it or another
 * one looks again; one that is told to stop does so only when the receiver has not answered by then.
 */
export async function sendDue(deps: SenderDeps, stop: StopSignals): Promise<void> {
  await dropUnwanted(deps.db);
  const lanes = Array.from({ length: MAX_AT_ONCE }, async () => await sendSome(deps, stop));
  // Each ends by itself; what one of them failed of is told when all have.
  for (const lane of await Promise.allSettled(lanes)) if (lane.status === 'rejected') throw lane.reason;
}

/** `begin`: nothing more is begun; `end`: what is under way is given up as well. */
export type StopSignals = { begin: AbortSignal; end: AbortSignal };

async function sendSome(deps: SenderDeps, stop: StopSignals): Promise<void> {
  while (!stop.begin.aborted) {
    const delivery = await claimDelivery(deps.db);
    if (!delivery) return;
    await sendOne(deps, delivery, stop.end);
  }
}

async function sendOne(deps: SenderDeps, delivery: ClaimedDelivery, stop: AbortSignal): Promise<void> {
  const { db, log } = deps;
  const { channel } = delivery;
  try {
    const spoken = await stillSpoken(db, channel.userId, delivery.news);
    if (!spoken) return await dropDelivery(db, delivery.id);
    const message = writeMessage(deps.consoleUrl, spoken.news, spoken.ended);
    const failure = await sendMessage(deps, channel, message, stop);
    await noteOutcome(db, delivery, failure);
  } catch (err) {
    if (stop.aborted) return; // tried again by whoever looks next
    log.error({ err, deliveryId: delivery.id, channelId: channel.id }, 'an alert could not be sent');
    await noteOutcome(db, delivery, 'unreachable');
  } finally {
    await freeChannel(db, channel.id);
  }
}

async function noteOutcome(db: Db, delivery: ClaimedDelivery, failure: AlertFailure | undefined): Promise<void> {
  const { id, attempts, channel } = delivery;
  await db.transaction().execute(async (tx) => {
    if (failure === undefined) return await recordSent(tx, { id, channelId: channel.id });
    const retryAfterSeconds = FINAL.includes(failure) ? undefined : RETRY_SECONDS[attempts - 1];
    await recordFailure(tx, { id, channelId: channel.id }, { failure, retryAfterSeconds });
  });
}

type Spoken = { news: AlertNews; ended: ReadonlySet<string> };

/** The news without the devices that were deleted, disabled or muted meanwhile; undefined when none is left. */
async function stillSpoken(db: Db, userId: number, news: AlertNews): Promise<Spoken | undefined> {
  if (news.event !== 'device_offline' && news.event !== 'device_online') return { news, ended: new Set() };
  const ids = news.devices.map(({ id }) => id);
  const spoken = new Map((await listSpokenDevices(db, userId, ids)).map((device) => [device.id, device]));
  const isSpoken = ({ id }: { id: number }): boolean => spoken.has(id);
  if (!news.devices.some(isSpoken)) return undefined;
  if (news.event === 'device_online')
    return { news: { ...news, devices: news.devices.filter(isSpoken) }, ended: new Set() };
  const devices = news.devices.filter(isSpoken);
  const hasEnded = devices.filter(({ id, since }) => spoken.get(id)?.toldSince?.toISOString() !== since);
  return { news: { ...news, devices }, ended: new Set(hasEnded.map(absenceKey)) };
}

const PERIOD_MS = 3_000;
const DRAIN_MS = 2_000;

/** Sends alerts until disposed; then lets what is under way arrive, but not for long. */
export function runSender(deps: SenderDeps): AsyncDisposable {
  const [begin, end] = [new AbortController(), new AbortController()];
  const stop = { begin: begin.signal, end: end.signal };
  const ended = (async () => {
    while (!begin.signal.aborted) {
      await sendDue(deps, stop).catch((err: unknown) => deps.log.warn({ err }, 'could not look for alerts to send'));
      await wait(PERIOD_MS, undefined, { signal: begin.signal }).catch(() => undefined); // aborted: it stops
    }
  })();
  return {
    async [Symbol.asyncDispose]() {
      begin.abort();
      const timer = setTimeout(() => end.abort(), DRAIN_MS);
      await ended;
      clearTimeout(timer);
    },
  };
}
