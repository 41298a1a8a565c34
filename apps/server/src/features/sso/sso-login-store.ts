import { must } from '@tongtu/base';
import { SSO_DECIDE_SECONDS, SSO_SHOWN_SECONDS } from '@tongtu/contract';
import { sql } from 'kysely';
import type { Db } from '../../db/driver.ts';
import type { WechatIdentity } from './phone/wechat-app.ts';

export type NewSsoLogin = { stateHash: Buffer; scanHash: Buffer; site: string; ip: string; userAgent: string };

/** The time that the login page needs to receive an event and fetch the code before it gives up. */
const NOTIFY_SECONDS = 5;
const shownSeconds = SSO_SHOWN_SECONDS - NOTIFY_SECONDS;
/** The login page's own timeouts, less NOTIFY_SECONDS, because it counts from when it has the QR code. */
const lifetime = sql<Date>`now() + make_interval(secs => ${shownSeconds})`;
const scannedLifetime = sql<Date>`created_at + make_interval(secs => ${shownSeconds + SSO_DECIDE_SECONDS})`;
/** The time in which the login page must fetch the decision, enough for a throttled background tab. */
const decidedLifetime = sql<Date>`now() + interval '2 minutes'`;
/** Events have times of whole milliseconds, so that "newer than" means the same here and in a script. */
const clockTimestamp = sql<Date>`date_trunc('milliseconds', clock_timestamp())`;
const isOpen = sql<boolean>`(decision is null and expires_at > now())`;

/** Inserts a login; does nothing when it exists. */
export async function openSsoLogin(db: Db, login: NewSsoLogin): Promise<void> {
  await db
    .insertInto('ssoLogin')
    .values({ ...login, expiresAt: lifetime })
    .onConflict((conflict) => conflict.column('stateHash').doNothing())
    .execute();
}

/** Sets the code of a confirmed login and replaces an earlier one. False when it is not confirmed. */
export async function setLoginCode(db: Db, stateHash: Buffer, codeHash: Buffer): Promise<boolean> {
  const row = await db
    .updateTable('ssoLogin')
    .set({ codeHash, codeExpiresAt: sql<Date>`now() + interval '60 seconds'` })
    .where('stateHash', '=', stateHash)
    .where('decision', '=', 'confirmed')
    .where('expiresAt', '>', sql<Date>`now()`)
    .returning('stateHash')
    .executeTakeFirst();
  return row !== undefined;
}

/** Deletes the login and returns its identity. One statement, so that of two calls with the same code one gets it. */
export async function consumeConfirmedLogin(
  tx: Db,
  stateHash: Buffer,
  codeHash: Buffer,
): Promise<WechatIdentity | undefined> {
  const row = await tx
    .deleteFrom('ssoLogin')
    .where('stateHash', '=', stateHash)
    .where('codeHash', '=', codeHash)
    .where('codeExpiresAt', '>', sql<Date>`now()`)
    .returning(['appId', 'openId', 'unionId', 'nickname'])
    .executeTakeFirst();
  if (!row || row.appId === null || row.openId === null) return undefined;
  return { appId: row.appId, openId: row.openId, unionId: row.unionId, nickname: row.nickname ?? '' };
}

export async function deleteSsoLogin(db: Db, stateHash: Buffer): Promise<void> {
  await db.deleteFrom('ssoLogin').where('stateHash', '=', stateHash).execute();
}

export async function deleteExpiredSsoLogins(db: Db): Promise<void> {
  // Kept an hour longer, so that a late phone reads that the QR code has expired.
  await db
    .deleteFrom('ssoLogin')
    .where('expiresAt', '<', sql<Date>`now() - interval '1 hour'`)
    .execute();
}

export type SsoSteps = { scannedAt: Date | null; decidedAt: Date | null; decision: 'confirmed' | 'cancelled' | null };

/** The login's steps so far, and the time of the database, which all processes share. */
export async function readSsoSteps(db: Db, stateHash: Buffer): Promise<SsoSteps & { wallClockMs: number }> {
  const { rows } = await sql<SsoSteps & { wallClockMs: number }>`
    select floor(extract(epoch from clock_timestamp()) * 1000)::int8 as wall_clock_ms, scanned_at, decided_at, decision
    from (select) as here left join sso_login on state_hash = ${stateHash}`.execute(db);
  return must(rows[0], 'the time');
}

const scanColumns = [
  'stateHash',
  'site',
  'ip',
  'userAgent',
  'createdAt',
  'phoneHash',
  'oauthCodeHash',
  'openId',
  'nickname',
  'decision',
] as const;

/** A login as the phone's pages need it. */
export type ScannedLogin = {
  stateHash: Buffer;
  site: string;
  ip: string;
  userAgent: string;
  createdAt: Date;
  phoneHash: Buffer | null;
  oauthCodeHash: Buffer | null;
  openId: string | null;
  nickname: string | null;
  decision: 'confirmed' | 'cancelled' | null;
  isExpired: boolean;
};

export async function findScannedLogin(db: Db, scanHash: Buffer): Promise<ScannedLogin | undefined> {
  return await db
    .selectFrom('ssoLogin')
    .select(scanColumns)
    .select(sql<boolean>`expires_at <= now()`.as('isExpired'))
    .where('scanHash', '=', scanHash)
    .executeTakeFirst();
}

/** Records the first scan and returns the login's state hash; undefined for later scans. */
export async function markScanned(db: Db, scanHash: Buffer): Promise<Buffer | undefined> {
  const row = await db
    .updateTable('ssoLogin')
    .set({ scannedAt: clockTimestamp, expiresAt: scannedLifetime })
    .where('scanHash', '=', scanHash)
    .where('scannedAt', 'is', null)
    .where(isOpen)
    .returning('stateHash')
    .executeTakeFirst();
  return row?.stateHash;
}

/**
 * Claims the scan for one phone and one WeChat code. False for another phone, and for a second call with the same code,
 * which WeChat's browser sometimes makes.
 */
export async function claimScan(
  db: Db,
  scanHash: Buffer,
  claim: { phoneHash: Buffer; oauthCodeHash: Buffer },
): Promise<boolean> {
  const row = await db
    .updateTable('ssoLogin')
    .set(claim)
    .where('scanHash', '=', scanHash)
    .where(isOpen)
    .where('openId', 'is', null)
    .where(sql<boolean>`(phone_hash is null or phone_hash = ${claim.phoneHash})`)
    .where(sql<boolean>`oauth_code_hash is distinct from ${claim.oauthCodeHash}`)
    .returning('stateHash')
    .executeTakeFirst();
  return row !== undefined;
}

/** Releases the claim after WeChat returned no identity, so that this or another phone can try again. */
export async function releaseScan(db: Db, scanHash: Buffer, oauthCodeHash: Buffer): Promise<void> {
  await db
    .updateTable('ssoLogin')
    .set({ oauthCodeHash: null, phoneHash: null })
    .where('scanHash', '=', scanHash)
    .where('oauthCodeHash', '=', oauthCodeHash)
    .where('openId', 'is', null)
    .execute();
}

/** Stores the identity once, for the code that claimed the scan last. */
export async function setScanIdentity(
  db: Db,
  scanHash: Buffer,
  oauthCodeHash: Buffer,
  identity: WechatIdentity,
): Promise<void> {
  await db
    .updateTable('ssoLogin')
    .set(identity)
    .where('scanHash', '=', scanHash)
    .where('oauthCodeHash', '=', oauthCodeHash)
    .where('openId', 'is', null)
    .where(isOpen)
    .execute();
}

/** Records the phone's decision once and returns the login's state hash; undefined when it was not recorded. */
export async function decideScan(
  db: Db,
  scanHash: Buffer,
  { phoneHash, decision }: { phoneHash: Buffer; decision: 'confirmed' | 'cancelled' },
): Promise<Buffer | undefined> {
  // Confirming needs an identity. Cancelling does not, because WeChat's consent page can cancel before there is one.
  const isAllowed =
    decision === 'confirmed'
      ? sql<boolean>`phone_hash = ${phoneHash} and open_id is not null`
      : sql<boolean>`(phone_hash is null or phone_hash = ${phoneHash})`;
  const row = await db
    .updateTable('ssoLogin')
    .set({
      decision,
      decidedAt: sql<Date>`greatest(${clockTimestamp}, scanned_at + interval '1 millisecond')`,
      expiresAt: decidedLifetime,
    })
    .where('scanHash', '=', scanHash)
    .where(isOpen)
    .where(isAllowed)
    .returning('stateHash')
    .executeTakeFirst();
  return row?.stateHash;
}
