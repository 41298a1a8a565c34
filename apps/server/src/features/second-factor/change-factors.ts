import { AppError } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import { lockUserForUpdate } from '../../db/lock-user.ts';
import { userAgentOf } from '../../http/browser/user-agent.ts';
import type { Session } from '../../http/session.ts';
import { notifyOfPasskey } from '../alerts/index.ts';
import { assertNotEnded, findConfirmedUntil } from '../sessions/index.ts';
import { endSecondStepTrust } from '../trusted-browsers/index.ts';
import { findUsername } from '../users/index.ts';
import { hasSecondFactor } from './factor-store.ts';
import { verifyNewPasskey, buildRegistrationOptions, type PasskeyCall } from './passkeys/passkey.ts';
import {
  countPasskeys,
  deleteAllPasskeys,
  deletePasskey,
  insertPasskey,
  type PasskeyRow,
} from './passkeys/passkey-store.ts';
import { renewRecoveryCodes } from './codes/recovery-code.ts';
import { deleteRecoveryCodes } from './codes/recovery-code-store.ts';
import { claimTotpCode, createTotpSecret, sealTotpSecret } from './codes/totp.ts';
import { confirmTotp, deleteTotp, findSealedTotp, insertPendingTotp } from './codes/totp-store.ts';
import type { FactorKeys } from './use-factor.ts';

export type FactorDeps = FactorKeys & { db: Db; publicUrl: string };

const MAX_PASSKEYS = 10;

/** Starts the set-up of an authenticator app. Throws `second-factor.already-on`. */
export async function beginTotp(deps: FactorDeps, userId: number): Promise<{ secret: string; uri: string }> {
  const label = `${await findUsername(deps.db, userId)}@${new URL(deps.publicUrl).hostname}`;
  const { secret, uri } = createTotpSecret(label);
  const secretSealed = sealTotpSecret(deps.sealingKey, userId, secret);
  if (!(await insertPendingTotp(deps.db, { userId, secretSealed }))) throw new AppError('second-factor.already-on');
  return { secret, uri };
}

/**
 * Turns the app on with a code that it shows. Returns recovery codes when it is the account's first factor. Throws
 * `second-factor.wrong`, `session.required`, or `second-factor.expired` when no set-up is pending.
 */
export async function turnOnTotp(deps: FactorDeps, session: Session, code: string): Promise<string[]> {
  const { userId } = session;
  return await deps.db.transaction().execute(async (tx) => {
    await lockUserForUpdate(tx, userId);
    await assertNotEnded(tx, session);
    const isOn = await hasSecondFactor(tx, userId);
    if (!(await findSealedTotp(tx, userId, 'pending'))) throw new AppError('second-factor.expired');
    if (!(await claimTotpCode(tx, deps.sealingKey, { userId, code, state: 'pending' }))) {
      throw new AppError('second-factor.wrong');
    }
    await confirmTotp(tx, userId);
    return isOn ? [] : await renewRecoveryCodes(tx, deps.recoveryKey, userId);
  });
}

export async function removeTotp(db: Db, userId: number): Promise<void> {
  await changeFactors(db, userId, async (tx) => await deleteTotp(tx, userId));
}

/** Throws `second-factor.limit-reached`. */
export async function createRegistrationOptions(
  { db, publicUrl }: FactorDeps,
  session: Session,
  req: PasskeyCall['req'],
): Promise<Record<string, unknown>> {
  const { userId } = session;
  if ((await countPasskeys(db, userId)) >= MAX_PASSKEYS) throw new AppError('second-factor.limit-reached');
  const username = await findUsername(db, userId);
  return await buildRegistrationOptions(db, { publicUrl, req }, { binding: registrationBinding(session), username });
}

export type AddedPasskey = { passkey: PasskeyRow; recoveryCodes: string[]; isFirstFactor: boolean };

/**
 * Adds the passkey that the browser created. Returns recovery codes when it is the account's first factor. Throws
 * `second-factor.wrong`, `second-factor.expired`, `second-factor.limit-reached`, or `session.confirm-required` when the
 * session has just ended.
 */
export async function addPasskey(
  { db, publicUrl, recoveryKey }: FactorDeps,
  session: Session,
  { name, response, req }: { name: string; response: Record<string, unknown>; req: PasskeyCall['req'] },
): Promise<AddedPasskey> {
  const { userId } = session;
  const credential = await verifyNewPasskey(
    db,
    { publicUrl, req },
    { binding: registrationBinding(session), response },
  );
  if (!credential) throw new AppError('second-factor.wrong');
  return await db.transaction().execute(async (tx) => {
    await lockUserForUpdate(tx, userId);
    // A reset of the password, which ends the session, may have come before the lock.
    if ((await findConfirmedUntil(tx, session.idHash)) === undefined) throw new AppError('session.confirm-required');
    const isOn = await hasSecondFactor(tx, userId);
    if ((await countPasskeys(tx, userId)) >= MAX_PASSKEYS) throw new AppError('second-factor.limit-reached');
    const passkey = await insertPasskey(tx, { ...credential, name });
    if (!passkey) throw new AppError('second-factor.wrong');
    await notifyOfPasskey(tx, { userId, name, ip: req.ip, userAgent: userAgentOf(req) });
    const recoveryCodes = isOn ? [] : await renewRecoveryCodes(tx, recoveryKey, userId);
    return { passkey, recoveryCodes, isFirstFactor: !isOn };
  });
}

/** Throws `passkey.not-found`. */
export async function removePasskey(db: Db, passkey: { id: number; userId: number }): Promise<void> {
  await changeFactors(db, passkey.userId, async (tx) => {
    if (!(await deletePasskey(tx, passkey))) throw new AppError('passkey.not-found');
  });
}

/** Turns two-step login off by deleting all factors. */
export async function turnOffSecondFactor(db: Db, userId: number): Promise<void> {
  await changeFactors(db, userId, async (tx) => {
    await deleteTotp(tx, userId);
    await deleteAllPasskeys(tx, userId);
  });
}

/** Throws `second-factor.off`, `session.required`. */
export async function replaceRecoveryCodes({ db, recoveryKey }: FactorDeps, session: Session): Promise<string[]> {
  const { userId } = session;
  return await db.transaction().execute(async (tx) => {
    await lockUserForUpdate(tx, userId);
    await assertNotEnded(tx, session);
    if (!(await hasSecondFactor(tx, userId))) throw new AppError('second-factor.off');
    return await renewRecoveryCodes(tx, recoveryKey, userId);
  });
}

/** Changes the account's factors. The last factor takes the recovery codes along, and no browser skips the second step any more. */
async function changeFactors(db: Db, userId: number, change: (tx: Db) => Promise<void>): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await lockUserForUpdate(tx, userId);
    await change(tx);
    if (await hasSecondFactor(tx, userId)) return;
    await deleteRecoveryCodes(tx, userId);
    await endSecondStepTrust(tx, userId);
  });
}

function registrationBinding({ userId, idHash }: Session) {
  return { boundTo: idHash, purpose: 'register', userId } as const;
}
