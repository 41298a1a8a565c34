import { randomBytes } from 'node:crypto';
import { apiScopes, AppError, type ApiScope } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import { flagsOf, type Session } from '../../http/session.ts';
import { hashSecret } from '../../hash-secret.ts';
import { assertNotEnded } from '../sessions/index.ts';
import { findTokenOwner, insertApiToken, recordTokenUse, type ApiTokenRow } from './api-token-store.ts';

const MAX_TOKENS_PER_USER = 50;
const HINT_LENGTH = 12;
const TOKEN = /^tt_api_[\w-]{43}$/;

/** Creates a token and returns it; only its hash is stored. Throws `api-token.limit-reached`, `session.required`. */
export async function createApiToken(
  db: Db,
  session: Session,
  input: { name: string; scopes: readonly ApiScope[]; validDays: number | null },
): Promise<{ token: string; row: ApiTokenRow }> {
  const token = `tt_api_${randomBytes(32).toString('base64url')}`;
  const values = {
    userId: session.userId,
    tokenHash: hashSecret(token),
    hint: token.slice(0, HINT_LENGTH),
    scopes: [...new Set(input.scopes)],
  };
  const row = await db.transaction().execute(async (tx) => {
    const inserted = await insertApiToken(tx, { ...input, ...values }, MAX_TOKENS_PER_USER);
    await assertNotEnded(tx, session);
    return inserted;
  });
  if (!row) throw new AppError('api-token.limit-reached');
  return { token, row };
}

/** The session of a call with this token; undefined when the token is unknown, expired or malformed. */
export async function findApiCaller(db: Db, token: string): Promise<Session | undefined> {
  if (!TOKEN.test(token)) return undefined;
  const idHash = hashSecret(token);
  const owner = await findTokenOwner(db, idHash);
  if (!owner) return undefined;
  if (owner.isLastUseStale) await recordTokenUse(db, owner.id);
  const scopes = knownScopes(owner.scopes);
  const isConfirmed = scopes.includes('access:write');
  return { userId: owner.userId, sessionId: undefined, idHash, flags: flagsOf(owner), isConfirmed, scopes };
}

/** A token may have scopes of another version of the server; those that this version does not know are ignored. */
export function knownScopes(scopes: readonly string[]): ApiScope[] {
  return apiScopes.filter((scope) => scopes.includes(scope));
}
