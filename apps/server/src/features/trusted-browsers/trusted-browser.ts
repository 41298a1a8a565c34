import { randomBytes } from 'node:crypto';
import type { Db } from '../../db/driver.ts';
import { hashSecret } from '../../hash-secret.ts';
import { readCookies, setCookie } from '../../http/browser/cookies.ts';
import type { CallRequest, HttpCall } from '../../http/session.ts';
import { findTrusted, saveTrusted } from './trusted-browser-store.ts';

const SECRET_BYTES = 32;
/** A browser that several people log in with has a secret for each; those of the last ones are kept. */
const MAX_SECRETS = 5;
const COOKIE_SECONDS = 180 * 24 * 3600;
const trustCookie = { name: 'trusted', form: /^[\w-]{43}(?:\.[\w-]{43}){0,4}$/ };

/**
 * The number that this browser has with the account because somebody has logged in to it there before; undefined for any
 * other browser. Ask also where there is no such account (undefined): it takes as long.
 */
export async function findTrustedBrowser(
  db: Db,
  userId: number | undefined,
  req: CallRequest,
): Promise<number | undefined> {
  const secretHashes = shownSecrets(req).map(hashSecret);
  return (await findTrusted(db, { userId: userId ?? 0, secretHashes }))?.id;
}

/**
 * Knows this browser again by the account whose session has just been started in it, by a secret that it never had before.
 * To be run in the login's transaction, which has locked the account; returns what is for `handTrustOut` once that has been
 * committed.
 */
export async function trustBrowser(
  tx: Db,
  { userId, sessionId }: { userId: number; sessionId: string },
  req: CallRequest,
): Promise<string> {
  const shown = shownSecrets(req);
  const former = await findTrusted(tx, { userId, secretHashes: shown.map(hashSecret) });
  const secret = randomBytes(SECRET_BYTES).toString('base64url');
  const trusted = { userId, secretHash: hashSecret(secret), sessionIdHash: hashSecret(sessionId) };
  await saveTrusted(tx, trusted, former?.id);
  const others = shown.filter((one) => former === undefined || !hashSecret(one).equals(former.secretHash));
  return [secret, ...others].slice(0, MAX_SECRETS).join('.');
}

export function handTrustOut(secrets: string, call: HttpCall): void {
  setCookie(call, trustCookie.name, secrets, { maxAge: COOKIE_SECONDS });
}

function shownSecrets(req: CallRequest): string[] {
  return readCookies(req, trustCookie).flatMap((value) => value.split('.'));
}
