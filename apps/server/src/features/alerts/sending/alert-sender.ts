import { setTimeout as delay } from 'node:timers/promises';
import type { AlertFailure } from '@tongtu/contract';
import type { Db } from '../../../db/driver.ts';
import { absenceKey, writeMessage, type EndedAbsences } from './alert-message.ts';
import { AlertDetails } from '../alert-details.ts';
import { sendMessage, type SendDeps } from './send-message.ts';
import {
  claimDelivery,
  deleteDelivery,
  listMonitoredDevices,
  postponePending,
  recordChannelFailure,
  recordFailure,
  recordSent,
  releaseClaim,
  type ClaimedDelivery,
} from './sending-store.ts';

export type SenderDeps = SendDeps & { consoleUrl: string };

/** Enough that others go on while some workers wait for receivers that do not answer. */
const MAX_WORKERS = 8;
const RETRY_SECONDS = [30, 120, 600, 1800, 7200];
/** Limits how long a failure delays the channel's other deliveries; the failed one itself may wait for hours. */
const MAX_POSTPONE_SECONDS = 600;
const PERMANENT_FAILURES: readonly AlertFailure[] = ['rejected', 'address_refused', 'email_missing'];

/** After `drain` no further delivery is started; `abort` ends those in progress. */
export type StopSignals = { drain: AbortSignal; abort: AbortSignal };

/**
 * Sends due deliveries: several at a time, one at a time for each channel. Several server processes may run it at once.
 * A process that is killed between sending and recording causes a second message; one that stops causes it only if the
 * receiver has not answered by then.
 */
class Sender {
  readonly #deps: SenderDeps;
  readonly #stop: StopSignals;
  readonly #workers = new Set<Promise<void>>();

  constructor(deps: SenderDeps, stop: StopSignals) {
    this.#deps = deps;
    this.#stop = stop;
  }

  /** Starts a worker, unless enough are running. A worker that finds a delivery starts the next worker. */
  startWorker(): void {
    if (this.#stop.drain.aborted || this.#workers.size >= MAX_WORKERS) return;
    const worker = this.#sendUntilNoneIsDue().finally(() => this.#workers.delete(worker));
    this.#workers.add(worker);
  }

  async idle(): Promise<void> {
    while (this.#workers.size > 0) await Promise.all(this.#workers);
  }

  async #sendUntilNoneIsDue(): Promise<void> {
    try {
      while (!this.#stop.drain.aborted) {
        const delivery = await claimDelivery(this.#deps.db);
        if (!delivery) return;
        this.startWorker();
        await sendOne(this.#deps, delivery, this.#stop.abort);
      }
    } catch (err) {
      this.#deps.log.warn({ err }, 'could not look for alerts to send');
    }
  }
}

/** Sends everything that is due. */
export async function sendDue(deps: SenderDeps, stop: StopSignals): Promise<void> {
  const sender = new Sender(deps, stop);
  sender.startWorker();
  await sender.idle();
}

async function sendOne(deps: SenderDeps, delivery: ClaimedDelivery, abort: AbortSignal): Promise<void> {
  const outcome = await trySending(deps, delivery, abort);
  await deps.db.transaction().execute(async (tx) => {
    // If the claim has expired, the process that claimed the channel next records its own outcome.
    if (await releaseClaim(tx, delivery.channel)) await recordOutcome(tx, delivery, outcome);
  });
}

type Outcome =
  | { type: 'sent' | 'aborted' }
  /** No device of the delivery is monitored any more. */
  | { type: 'obsolete' }
  | { type: 'failed'; failure: AlertFailure }
  /** The server failed, not the channel. */
  | { type: 'internal-error' };

async function trySending(deps: SenderDeps, delivery: ClaimedDelivery, abort: AbortSignal): Promise<Outcome> {
  const { channel } = delivery;
  try {
    const current = await currentDetails(deps.db, channel.userId, AlertDetails.parse(delivery.details));
    if (!current) return { type: 'obsolete' };
    const message = writeMessage(deps.consoleUrl, current.details, current.ended);
    const failure = await sendMessage(deps, channel, message, abort);
    return failure === undefined ? { type: 'sent' } : { type: 'failed', failure };
  } catch (err) {
    if (abort.aborted) return { type: 'aborted' }; // still due, for the next process that claims it
    deps.log.error({ err, deliveryId: delivery.id, channelId: channel.id }, 'an alert could not be sent');
    return { type: 'internal-error' };
  }
}

async function recordOutcome(tx: Db, { id, attempts, channel }: ClaimedDelivery, outcome: Outcome): Promise<void> {
  const retryAfterSeconds = RETRY_SECONDS[attempts - 1];
  switch (outcome.type) {
    case 'sent':
      return await recordSent(tx, { id, channelId: channel.id });
    case 'obsolete':
      return await deleteDelivery(tx, id);
    case 'aborted':
      return;
    case 'internal-error':
      return await recordFailure(tx, id, { failure: 'unreachable', retryAfterSeconds });
    case 'failed': {
      const { failure } = outcome;
      await recordChannelFailure(tx, channel.id, failure);
      if (PERMANENT_FAILURES.includes(failure)) return await recordFailure(tx, id, { failure });
      await recordFailure(tx, id, { failure, retryAfterSeconds });
      if (retryAfterSeconds === undefined) return;
      await postponePending(tx, channel.id, Math.min(retryAfterSeconds, MAX_POSTPONE_SECONDS));
    }
  }
}

type CurrentDetails = { details: AlertDetails; ended: EndedAbsences };

/** Leaves out devices that were deleted, disabled or muted since. Returns undefined when no device is left. */
async function currentDetails(db: Db, userId: number, details: AlertDetails): Promise<CurrentDetails | undefined> {
  if (details.event !== 'device_offline' && details.event !== 'device_online') return { details, ended: new Set() };
  const ids = details.devices.map(({ id }) => id);
  const monitored = new Map((await listMonitoredDevices(db, userId, ids)).map((device) => [device.id, device]));
  const isMonitored = ({ id }: { id: number }): boolean => monitored.has(id);
  if (!details.devices.some(isMonitored)) return undefined;
  if (details.event === 'device_online')
    return { details: { ...details, devices: details.devices.filter(isMonitored) }, ended: new Set() };
  const devices = details.devices.filter(isMonitored);
  const hasEnded = devices.filter(({ id, since }) => monitored.get(id)?.notifiedSince?.toISOString() !== since);
  return { details: { ...details, devices }, ended: new Set(hasEnded.map(absenceKey)) };
}

const POLL_INTERVAL_MS = 3_000;
const DRAIN_MS = 2_000;

/** Sends alerts until disposed. Deliveries in progress then have `DRAIN_MS` to finish. */
export function runSender(deps: SenderDeps): AsyncDisposable {
  const [drain, abort] = [new AbortController(), new AbortController()];
  const sender = new Sender(deps, { drain: drain.signal, abort: abort.signal });
  const ended = (async () => {
    while (!drain.signal.aborted) {
      sender.startWorker();
      await delay(POLL_INTERVAL_MS, undefined, { signal: drain.signal }).catch(() => undefined); // fails only if aborted
    }
  })();
  return {
    async [Symbol.asyncDispose]() {
      drain.abort();
      const timer = setTimeout(() => abort.abort(), DRAIN_MS);
      await ended;
      await sender.idle();
      clearTimeout(timer);
    },
  };
}
