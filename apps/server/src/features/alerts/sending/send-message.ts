import { unlessAborted } from '@tongtu/base';
import { AppError, type AlertFailure, type AlertKind } from '@tongtu/contract';
import type { Logger } from 'pino';
import type { Db } from '../../../db/driver.ts';
import type { Mailer } from '../../mail/index.ts';
import { plainText, type AlertMessage } from './alert-message.ts';
import { findEmail } from '../channel-store.ts';
import { unsealTarget } from './channel-target.ts';
import { postMessage, type PostDeps } from './post-message.ts';
import { requestFor, failureOf, type ProviderRequest } from '../providers/index.ts';
import { AddressRefused } from '../../../http/public-address.ts';

/** The mailer limits each reply of the mail server to 10 s; this limits the whole conversation. */
const MAIL_TIMEOUT_MS = 30_000;

export type SendDeps = PostDeps & {
  db: Db;
  sealingKey: Buffer;
  mailer: Mailer | undefined;
  log: Logger;
  /** Maps a provider's origin to that of a fake provider, for tests. */
  providerOrigin?: (origin: string) => string;
};

export type SendingChannel = { userId: number; kind: AlertKind; targetSealed: Buffer };

/**
 * Sends a message by a channel. Returns undefined when it arrived, otherwise the failure. Throws when `abort` ended it
 * before the outcome was known, or when the channel's target cannot be decrypted.
 */
export async function sendMessage(
  deps: SendDeps,
  channel: SendingChannel,
  message: AlertMessage,
  abort: AbortSignal,
): Promise<AlertFailure | undefined> {
  const target = unsealTarget(deps.sealingKey, channel);
  if (target.kind === 'email') return await mailMessage(deps, channel.userId, message, abort);
  const request = requestFor(target.kind, target, message, Date.now());
  try {
    const moved = hasUsersHost(target.kind) ? request : withProviderOrigin(request, deps);
    const response = await postMessage(deps, moved, abort);
    return failureOf(target.kind, response);
  } catch (error) {
    if (abort.aborted) throw error;
    return failureOfError(error);
  }
}

/** For these kinds the user gives the whole address; for the others only a key at the provider's host. */
function hasUsersHost(kind: AlertKind): boolean {
  return kind === 'webhook' || kind === 'bark';
}

function withProviderOrigin(
  request: ProviderRequest,
  { providerOrigin = (origin) => origin }: SendDeps,
): ProviderRequest {
  const { origin, pathname, search } = request.url;
  return { ...request, url: new URL(pathname + search, providerOrigin(origin)) };
}

function failureOfError(error: unknown): AlertFailure {
  if (error instanceof AddressRefused) return 'address_refused';
  return error instanceof Error && error.name === 'TimeoutError' ? 'timeout' : 'unreachable';
}

async function mailMessage(
  { db, mailer, timeoutMs = MAIL_TIMEOUT_MS, log }: SendDeps,
  userId: number,
  message: AlertMessage,
  abort: AbortSignal,
): Promise<AlertFailure | undefined> {
  const to = await findEmail(db, userId);
  if (to === '') return 'email_missing';
  if (!mailer) return 'mail_unavailable';
  const mail = { to, subject: `通途：${message.title}`, text: `${plainText(message)}\n` };
  try {
    abort.throwIfAborted();
    await unlessAborted(mailer.send(mail), AbortSignal.any([AbortSignal.timeout(timeoutMs), abort]));
    return undefined;
  } catch (err) {
    if (abort.aborted) throw err;
    if (err instanceof AppError && isRecipientRefused(err.cause)) return 'rejected';
    log.warn({ err, userId }, 'an alert could not be mailed');
    return 'mail_failed';
  }
}

/** The mail server accepted the connection and permanently refused this recipient (RFC 5321 §4.2.1). */
function isRecipientRefused(cause: unknown): boolean {
  const { command, responseCode } = Object(cause) as { command?: unknown; responseCode?: unknown };
  return command === 'RCPT TO' && typeof responseCode === 'number' && responseCode >= 500;
}
