import { must } from '@tongtu/base';
import { SSO_DECIDE_SECONDS, SSO_SHOWN_SECONDS } from '@tongtu/contract';
import { sql } from 'kysely';
import type { Db } from '../../db/driver.ts';
import type { WechatIdentity } from './wechat-identity.ts';

export type NewSsoLogin = { stateHash: Buffer; scanHash: Buffer; site: string; ip: string; userAgent: string };

/** What a page needs to hear of a step, and to fetch the code, before it gives up. */
const NOTIFY_SECONDS = 5;
const shownSeconds = SSO_SHOWN_SECONDS - NOTIFY_SECONDS;
/** The page's own times, counted from a moment earlier: it begins to count when it has the picture. */
const lifetime = sql<Date>`now() + make_interval(secs => ${shownSeconds})`;
const scannedLifetime = sql<Date>`created_at + make_interval(secs => ${shownSeconds + SSO_DECIDE_SECONDS})`;
/** The time that the page has to hear of a confirmation, even from a tab in the background. */
const decidedLifetime = sql<Date>`now() + interval '2 minutes'`;
/** Events have times of whole milliseconds, so that "newer than" means the same here and in a script. */
const clockTimestamp = sql<Date>`date_trunc('milliseconds', clock_timestamp())`;
const isOpen = sql<boolean>`(decision is null and expires_at > now())`;

/** Begins a login; one that has begun stays as it is. */
export async function openSsoLogin(db: Db, login: NewSsoLogin): Promise<void> {
  await db
    .insertInto('ssoLogin')
    .values({ ...login, expiresAt: lifetime })
    .onConflict((conflict) => conflict.column('stateHash').doNothing())
    .execute();
}

/** Gives a confirmed login its code, in place of one that was given before. False unless it is confirmed. */
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

/** Uses the login up. One statement: of two calls with the same code one gets the identity. */
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
  // For a while longer, so that a phone that is late reads why.
  await db
    .deleteFrom('ssoLogin')
    .where('expiresAt', '<', sql<Date>`now() - interval '1 hour'`)
    .execute();
}

export type SsoSteps = { scannedAt: Date | null; decidedAt: Date | null; decision: 'confirmed' | 'cancelled' | null };

/** What has happened, and the database's time: the clock that all processes share. */
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

/** A login as the phone sees it. */
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

/** The login's state for the first scan, undefined for others. */
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
 * Lets one phone, with one code of WeChat's, go on. False for another phone, and for a second call with the same code,
 * which WeChat's browser is known to make.
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

/** After WeChat did not say who it is: this phone, or another, may try again. */
export async function releaseScan(db: Db, scanHash: Buffer, oauthCodeHash: Buffer): Promise<void> {
  await db
    .updateTable('ssoLogin')
    .set({ oauthCodeHash: null, phoneHash: null })
    .where('scanHash', '=', scanHash)
    .where('oauthCodeHash', '=', oauthCodeHash)
    .where('openId', 'is', null)
    .execute();
}

/** Who holds the phone; kept once, for the code that claimed the scan last. */
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

/** The phone's one decision. The login's state when it was made now. */
export async function decideScan(
  db: Db,
  scanHash: Buffer,
  { phoneHash, decision }: { phoneHash: Buffer; decision: 'confirmed' | 'cancelled' },
): Promise<Buffer | undefined> {
  // Nobody can agree before it is known who they are; refusing at WeChat's own page comes before that.
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
