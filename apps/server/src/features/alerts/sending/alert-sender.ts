import { setTimeout as wait } from 'node:timers/promises';
import type { AlertFailure } from '@tongtu/contract';
import type { Db } from '../../../db/driver.ts';
import { absenceKey, writeMessage } from './alert-message.ts';
import { AlertDetails } from '../alert-details.ts';
import { sendMessage, type SendDeps } from './send-message.ts';
import {
  claimDelivery,
  dropDelivery,
  endClaim,
  listSpokenDevices,
  postponeWaiting,
  recordChannelFailure,
  recordFailure,
  recordSent,
  type ClaimedDelivery,
} from './sending-store.ts';

export type SenderDeps = SendDeps & { consoleUrl: string };

/** Many of them may wait for peers that say nothing, and the others still go on. */
const MAX_AT_ONCE = 8;
const RETRY_SECONDS = [30, 120, 600, 1800, 7200];
/** For what else waits by the channel: a message's own tries are soon hours apart. */
const MAX_POSTPONE_SECONDS = 600;
const FINAL: readonly AlertFailure[] = ['rejected', 'address_refused', 'email_missing'];

/** `begin`: nothing more is begun; `end`: what is under way is given up as well. */
export type StopSignals = { begin: AbortSignal; end: AbortSignal };

/**
 * Sends what is due, a few at a time and one at a time by each channel. Any number of server processes may do so at once.
 * A process that is killed after sending and before noting it sends the message once more when it or another one looks
 * again; one that is told to stop does so only when the receiver has not answered by then.
 */
class Sender {
  readonly #deps: SenderDeps;
  readonly #stop: StopSignals;
  readonly #lanes = new Set<Promise<void>>();

  constructor(deps: SenderDeps, stop: StopSignals) {
    this.#deps = deps;
    this.#stop = stop;
  }

  /** Looks for something to send. As long as there is something, the next look begins before that is sent. */
  look(): void {
    if (this.#stop.begin.aborted || this.#lanes.size >= MAX_AT_ONCE) return;
    const lane = this.#sendSome().finally(() => this.#lanes.delete(lane));
    this.#lanes.add(lane);
  }

  async idle(): Promise<void> {
    while (this.#lanes.size > 0) await Promise.all(this.#lanes);
  }

  async #sendSome(): Promise<void> {
    try {
      while (!this.#stop.begin.aborted) {
        const delivery = await claimDelivery(this.#deps.db);
        if (!delivery) return;
        this.look();
        await sendOne(this.#deps, delivery, this.#stop.end);
      }
    } catch (err) {
      this.#deps.log.warn({ err }, 'could not look for alerts to send');
    }
  }
}

/** Sends everything that is due. */
export async function sendDue(deps: SenderDeps, stop: StopSignals): Promise<void> {
  const sender = new Sender(deps, stop);
  sender.look();
  await sender.idle();
}

async function sendOne(deps: SenderDeps, delivery: ClaimedDelivery, stop: AbortSignal): Promise<void> {
  const outcome = await trySending(deps, delivery, stop);
  await deps.db.transaction().execute(async (tx) => {
    // Whoever has the channel since then notes what becomes of its own try.
    if (await endClaim(tx, delivery.channel)) await noteOutcome(tx, delivery, outcome);
  });
}

type Outcome =
  | { type: 'sent' | 'stopped' }
  /** There is nobody left whom it is about. */
  | { type: 'pointless' }
  | { type: 'failed'; failure: AlertFailure }
  /** By no fault of the channel's. */
  | { type: 'broken' };

async function trySending(deps: SenderDeps, delivery: ClaimedDelivery, stop: AbortSignal): Promise<Outcome> {
  const { channel } = delivery;
  try {
    const spoken = await stillSpoken(deps.db, channel.userId, AlertDetails.parse(delivery.details));
    if (!spoken) return { type: 'pointless' };
    const message = writeMessage(deps.consoleUrl, spoken.details, spoken.ended);
    const failure = await sendMessage(deps, channel, message, stop);
    return failure === undefined ? { type: 'sent' } : { type: 'failed', failure };
  } catch (err) {
    if (stop.aborted) return { type: 'stopped' }; // tried again by whoever looks next
    deps.log.error({ err, deliveryId: delivery.id, channelId: channel.id }, 'an alert could not be sent');
    return { type: 'broken' };
  }
}

async function noteOutcome(tx: Db, { id, attempts, channel }: ClaimedDelivery, outcome: Outcome): Promise<void> {
  const retryAfterSeconds = RETRY_SECONDS[attempts - 1];
  switch (outcome.type) {
    case 'sent':
      return await recordSent(tx, { id, channelId: channel.id });
    case 'pointless':
      return await dropDelivery(tx, id);
    case 'stopped':
      return;
    case 'broken':
      return await recordFailure(tx, id, { failure: 'unreachable', retryAfterSeconds });
    case 'failed': {
      const { failure } = outcome;
      await recordChannelFailure(tx, channel.id, failure);
      if (FINAL.includes(failure)) return await recordFailure(tx, id, { failure });
      await recordFailure(tx, id, { failure, retryAfterSeconds });
      if (retryAfterSeconds === undefined) return;
      await postponeWaiting(tx, channel.id, Math.min(retryAfterSeconds, MAX_POSTPONE_SECONDS));
    }
  }
}

type Spoken = { details: AlertDetails; ended: ReadonlySet<string> };

/** The details without the devices that were deleted, disabled or muted meanwhile; undefined when none is left. */
async function stillSpoken(db: Db, userId: number, details: AlertDetails): Promise<Spoken | undefined> {
  if (details.event !== 'device_offline' && details.event !== 'device_online') return { details, ended: new Set() };
  const ids = details.devices.map(({ id }) => id);
  const spoken = new Map((await listSpokenDevices(db, userId, ids)).map((device) => [device.id, device]));
  const isSpoken = ({ id }: { id: number }): boolean => spoken.has(id);
  if (!details.devices.some(isSpoken)) return undefined;
  if (details.event === 'device_online')
    return { details: { ...details, devices: details.devices.filter(isSpoken) }, ended: new Set() };
  const devices = details.devices.filter(isSpoken);
  const hasEnded = devices.filter(({ id, since }) => spoken.get(id)?.notifiedSince?.toISOString() !== since);
  return { details: { ...details, devices }, ended: new Set(hasEnded.map(absenceKey)) };
}

const PERIOD_MS = 3_000;
const DRAIN_MS = 2_000;

/** Sends alerts until disposed; then lets what is under way arrive, but not for long. */
export function runSender(deps: SenderDeps): AsyncDisposable {
  const [begin, end] = [new AbortController(), new AbortController()];
  const sender = new Sender(deps, { begin: begin.signal, end: end.signal });
  const ended = (async () => {
    while (!begin.signal.aborted) {
      sender.look();
      await wait(PERIOD_MS, undefined, { signal: begin.signal }).catch(() => undefined); // aborted: it stops
    }
  })();
  return {
    async [Symbol.asyncDispose]() {
      begin.abort();
      const timer = setTimeout(() => end.abort(), DRAIN_MS);
      await ended;
      await sender.idle();
      clearTimeout(timer);
    },
  };
}
