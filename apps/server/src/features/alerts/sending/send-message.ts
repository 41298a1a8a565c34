import { unlessAborted } from '@tongtu/base';
import { AppError, type AlertFailure, type AlertKind } from '@tongtu/contract';
import type { Logger } from 'pino';
import type { Db } from '../../../db/driver.ts';
import type { Mailer } from '../../mail/index.ts';
import { plainText, type AlertMessage } from './alert-message.ts';
import { findEmail } from '../channel-store.ts';
import { unsealTarget } from './channel-target.ts';
import { postMessage, type PostDeps } from './post-message.ts';
import { callOf, judgeAnswer, type ProviderCall } from '../providers/index.ts';
import { AddressRefused } from '../../../http/public-address.ts';

/** A mail server says nothing for 10 s at most, but may take its time with each of several answers. */
const MAIL_TIMEOUT_MS = 30_000;

export type SendDeps = PostDeps & {
  db: Db;
  sealingKey: Buffer;
  mailer: Mailer | undefined;
  log: Logger;
  /** Where a provider is that has one address for everybody, given its real origin; without it, just there. */
  providerOrigin?: (origin: string) => string;
};

export type SendingChannel = { userId: number; kind: AlertKind; targetSealed: Buffer };

/**
 * Sends a message by a channel. Returns why it did not arrive; undefined when it did. Throws when `stop` ended it before
 * that was known, or when the channel's target cannot be read.
 */
export async function sendMessage(
  deps: SendDeps,
  channel: SendingChannel,
  message: AlertMessage,
  stop: AbortSignal,
): Promise<AlertFailure | undefined> {
  const target = unsealTarget(deps.sealingKey, channel);
  if (target.kind === 'email') return await mailMessage(deps, channel.userId, message, stop);
  const call = callOf(target.kind, target, message, Date.now());
  try {
    const answer = await postMessage(deps, isOwnAddress(target.kind) ? call : moved(call, deps), stop);
    return judgeAnswer(target.kind, answer);
  } catch (error) {
    if (stop.aborted) throw error;
    return failureOf(error);
  }
}

function isOwnAddress(kind: AlertKind): boolean {
  return kind === 'webhook' || kind === 'bark';
}

function moved(call: ProviderCall, { providerOrigin = (origin) => origin }: SendDeps): ProviderCall {
  const { origin, pathname, search } = call.url;
  return { ...call, url: new URL(pathname + search, providerOrigin(origin)) };
}

function failureOf(error: unknown): AlertFailure {
  if (error instanceof AddressRefused) return 'address_refused';
  return error instanceof Error && error.name === 'TimeoutError' ? 'timeout' : 'unreachable';
}

async function mailMessage(
  { db, mailer, timeoutMs = MAIL_TIMEOUT_MS, log }: SendDeps,
  userId: number,
  message: AlertMessage,
  stop: AbortSignal,
): Promise<AlertFailure | undefined> {
  const to = await findEmail(db, userId);
  if (to === '') return 'email_missing';
  if (!mailer) return 'mail_unavailable';
  const mail = { to, subject: `通途：${message.title}`, text: `${plainText(message)}\n` };
  try {
    stop.throwIfAborted();
    await unlessAborted(mailer.send(mail), AbortSignal.any([AbortSignal.timeout(timeoutMs), stop]));
    return undefined;
  } catch (err) {
    if (stop.aborted) throw err;
    if (err instanceof AppError && isRecipientRefused(err.cause)) return 'rejected';
    log.warn({ err, userId }, 'an alert could not be mailed');
    return 'mail_failed';
  }
}

/** The mail server took the connection, but for good not this recipient (RFC 5321 §4.2.1). */
function isRecipientRefused(cause: unknown): boolean {
  const { command, responseCode } = Object(cause) as { command?: unknown; responseCode?: unknown };
  return command === 'RCPT TO' && typeof responseCode === 'number' && responseCode >= 500;
}
