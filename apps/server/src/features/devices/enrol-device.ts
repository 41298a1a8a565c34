import { randomBytes } from 'node:crypto';
import { AppError, showsSomething, withoutHiddenCharacters } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import { isDisabled } from '../../db/account-state.ts';
import { lockUserForKeyShare } from '../../db/lock-user.ts';
import { announceDeviceChange } from '../live/index.ts';
import { type DeviceCredential, findDeviceByKey, insertDevice, listDeviceNames } from './device-store.ts';

type EnrolDeviceDeps = {
  db: Db;
  /**
   * Whose device the agent with this token becomes. A token that works once is used in this transaction, and may be bound to a
   * public key.
   */
  claimToken: (tx: Db, token: string, publicKey: string) => Promise<TokenClaim | undefined>;
};

/** The token's owner, and the name that the device gets in place of its host name. */
export type TokenClaim = { userId: number; deviceName?: string };

export type Enrolment = { token: string; publicKey: string; name: string; serverId: number };

const MAX_NAME_LENGTH = 40;
const DEFAULT_NAME = '我的设备';
const UID_ATTEMPTS = 3;

/**
 * Binds a key pair to the token's owner. A key that the same owner has enrolled before is the same device.
 * Throws enrolment.token-invalid, enrolment.key-in-use.
 */
export async function enrolDevice(deps: EnrolDeviceDeps, enrolment: Enrolment): Promise<{ deviceId: number }> {
  const publicKey = readPublicKey(enrolment.publicKey);
  return await deps.db.transaction().execute(async (tx) => {
    // An error rolls the use of a one-time token back, so the device can try again.
    const claim = await deps.claimToken(tx, enrolment.token, enrolment.publicKey);
    if (claim === undefined || !(await lockEnabledOwner(tx, claim.userId)))
      throw new AppError('enrolment.token-invalid');
    const { userId, deviceName = '' } = claim;
    const name = await freeName(tx, userId, deviceName === '' ? enrolment.name : deviceName);
    const deviceId = await insertOrFind(tx, { userId, serverId: enrolment.serverId, publicKey, name });
    await announceDeviceChange(tx, { deviceId, userId });
    return { deviceId };
  });
}

/**
 * Adds a device that has no key yet, under a free name. `credentialOf` makes what its program proves itself with. The caller
 * has locked the account.
 */
export async function addNamedDevice(
  tx: Db,
  device: { userId: number; serverId: number; name: string },
  credentialOf: (uid: string) => DeviceCredential,
): Promise<{ id: number; uid: string }> {
  const name = await freeName(tx, device.userId, device.name);
  for (let attempt = 0; attempt < UID_ATTEMPTS; attempt++) {
    const uid = randomBytes(6).toString('hex');
    const id = await insertDevice(tx, { ...device, name, uid, ...credentialOf(uid) });
    if (id !== undefined) return { id, uid };
  }
  throw new Error(`no free device uid in ${UID_ATTEMPTS} attempts`);
}

/** Disabling the account waits until the device is there to be cut off, or comes before and is seen here. */
async function lockEnabledOwner(tx: Db, userId: number): Promise<boolean> {
  return (await lockUserForKeyShare(tx, userId)) && !(await isDisabled(tx, userId));
}

async function insertOrFind(
  tx: Db,
  device: { userId: number; serverId: number; publicKey: Buffer; name: string },
): Promise<number> {
  for (let attempt = 0; attempt < UID_ATTEMPTS; attempt++) {
    const uid = randomBytes(6).toString('hex');
    const id = await insertDevice(tx, { ...device, uid });
    if (id !== undefined) return id;
    const known = await findDeviceByKey(tx, device.publicKey);
    if (known?.userId === device.userId) return known.id;
    if (known !== undefined) throw new AppError('enrolment.key-in-use');
  }
  throw new Error(`no free device uid in ${UID_ATTEMPTS} attempts`);
}

function readPublicKey(text: string): Buffer {
  const key = Buffer.from(text, 'base64url');
  // Node.js ignores invalid characters, so the text must equal the encoding of its bytes.
  if (key.length !== 32 || key.toString('base64url') !== text) throw new AppError('request.invalid');
  return key;
}

/** Adds a number to a name that another device of the user has, so that a list of devices is clear. */
async function freeName(tx: Db, userId: number, wanted: string): Promise<string> {
  const seen = shorten(withoutHiddenCharacters(wanted), MAX_NAME_LENGTH);
  const name = showsSomething(seen) ? seen : DEFAULT_NAME;
  const start = shorten(name, MAX_NAME_LENGTH - 4);
  const taken = new Set(await listDeviceNames(tx, userId, start));
  if (!taken.has(name)) return name;
  for (let number = 2; number <= taken.size + 1; number++) {
    const numbered = `${start} ${number}`;
    if (!taken.has(numbered)) return numbered;
  }
  return name;
}

/** Cuts the text between code points, and removes a joiner that is left over from a cut emoji. */
function shorten(text: string, maxLength: number): string {
  return withoutHiddenCharacters([...text].slice(0, maxLength).join(''));
}
