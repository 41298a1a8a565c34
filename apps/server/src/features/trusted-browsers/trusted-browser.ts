import { randomBytes } from 'node:crypto';
import type { Db } from '../../db/driver.ts';
import { hashSecret } from '../../hash-secret.ts';
import { readCookies, setCookie, type OwnCookie } from '../../http/browser/cookies.ts';
import type { CallRequest, HttpCall } from '../../http/session.ts';
import { userAgentOf } from '../../http/browser/user-agent.ts';
import { findSecondStepTrust, findTrusted, saveTrusted } from './trusted-browser-store.ts';

const SECRET_BYTES = 32;
/** A browser has a secret for each account that has logged in; those of the last accounts are kept. */
const MAX_SECRETS = 5;
const COOKIE_SECONDS = 180 * 24 * 3600;
const trustCookie: OwnCookie = { name: 'trusted', form: /^[\w-]{43}(?:\.[\w-]{43}){0,4}$/ };

/**
 * The id of this browser if it is a trusted browser of the account, else undefined. Call it also without an account
 * (undefined), because the time would reveal that there is none.
 */
export async function findTrustedBrowser(
  db: Db,
  userId: number | undefined,
  req: CallRequest,
): Promise<number | undefined> {
  const secretHashes = readSecrets(req).map(hashSecret);
  return (await findTrusted(db, { userId: userId ?? 0, secretHashes }))?.id;
}

/** Whether a login in this browser needs no second step, because the account's user has chosen that here. */
export async function skipsSecondStep(tx: Db, userId: number, req: CallRequest): Promise<boolean> {
  return await findSecondStepTrust(tx, { userId, secretHashes: readSecrets(req).map(hashSecret) });
}

/**
 * Makes this browser a trusted browser of the account whose session has just been started, with a new secret. Call it in the
 * login's transaction, which has locked the account. Returns the value for `setTrustCookie` after the commit.
 */
export async function trustBrowser(
  tx: Db,
  {
    userId,
    sessionId,
    skipsSecondStep = false,
  }: { userId: number; sessionId: string; skipsSecondStep?: boolean | undefined },
  req: CallRequest,
): Promise<string> {
  const secrets = readSecrets(req);
  const former = await findTrusted(tx, { userId, secretHashes: secrets.map(hashSecret) });
  const secret = randomBytes(SECRET_BYTES).toString('base64url');
  const trusted = {
    ...{ userId, secretHash: hashSecret(secret), sessionIdHash: hashSecret(sessionId), skipsSecondStep },
    ...{ ip: req.ip, userAgent: userAgentOf(req) },
  };
  await saveTrusted(tx, trusted, former?.id);
  const others = secrets.filter((one) => former === undefined || !hashSecret(one).equals(former.secretHash));
  return [secret, ...others].slice(0, MAX_SECRETS).join('.');
}

export function setTrustCookie(secrets: string, call: HttpCall): void {
  setCookie(call, trustCookie.name, secrets, { maxAge: COOKIE_SECONDS });
}

function readSecrets(req: CallRequest): string[] {
  return readCookies(req, trustCookie).flatMap((value) => value.split('.'));
}
