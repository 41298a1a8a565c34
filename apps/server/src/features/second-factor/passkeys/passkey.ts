import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
  type AuthenticationResponseJSON,
  type RegistrationResponseJSON,
} from '@simplewebauthn/server';
import type { Db } from '../../../db/driver.ts';
import type { CallRequest } from '../../../http/session.ts';
import { claimChallenge, keepChallenge, type ChallengeBinding } from './passkey-challenge-store.ts';
import { listPasskeyKeys, recordPasskeyUse, type NewPasskey } from './passkey-store.ts';
import { callerOrigin, relyingPartyId } from './relying-party.ts';

type Json = Record<string, unknown>;
/** The page's address decides which passkeys count. */
export type PasskeyCall = { publicUrl: string; req: CallRequest };

const RP_NAME = '通途';
// EdDSA, ES256, RS256. The library's default asks the runtime for algorithms that it still warns about.
const ALGORITHMS = [-8, -7, -257];

/** What the browser needs to make a passkey. */
export async function registrationOptions(
  db: Db,
  { publicUrl, req }: PasskeyCall,
  { binding, username }: { binding: ChallengeBinding; username: string },
): Promise<Json> {
  const rpID = relyingPartyId(publicUrl, req);
  const known = await listPasskeyKeys(db, binding.userId, rpID);
  const options = await generateRegistrationOptions({
    rpName: RP_NAME,
    rpID,
    userName: username,
    userDisplayName: username,
    userID: Buffer.from(`tongtu:${binding.userId}`),
    attestationType: 'none',
    supportedAlgorithmIDs: ALGORITHMS,
    excludeCredentials: known.map(({ credentialId: id, transports }) => ({ id, transports })),
    // The second step follows a first one: a security key without a PIN will do, and need not keep the account.
    authenticatorSelection: { residentKey: 'discouraged', userVerification: 'preferred' },
  });
  await keepChallenge(db, binding, options.challenge);
  return { ...options };
}

/** What the browser needs to use a passkey of the account. */
export async function authenticationOptions(
  db: Db,
  { publicUrl, req }: PasskeyCall,
  binding: ChallengeBinding,
): Promise<Json> {
  const rpID = relyingPartyId(publicUrl, req);
  const known = await listPasskeyKeys(db, binding.userId, rpID);
  const options = await generateAuthenticationOptions({
    rpID,
    allowCredentials: known.map(({ credentialId: id, transports }) => ({ id, transports })),
    userVerification: 'preferred',
  });
  await keepChallenge(db, binding, options.challenge);
  return { ...options };
}

/** The passkey that the browser made; undefined when its answer is not right. Throws `second-factor.expired`. */
export async function readNewPasskey(
  db: Db,
  { publicUrl, req }: PasskeyCall,
  { binding, response }: { binding: ChallengeBinding; response: Json },
): Promise<Omit<NewPasskey, 'name'> | undefined> {
  const rpId = relyingPartyId(publicUrl, req);
  const expectedChallenge = await claimChallenge(db, binding);
  const verified = await unlessRefused(() =>
    verifyRegistrationResponse({
      response: response as unknown as RegistrationResponseJSON, // the library checks what it reads
      expectedChallenge,
      expectedOrigin: callerOrigin(publicUrl, req),
      expectedRPID: rpId,
      supportedAlgorithmIDs: ALGORITHMS,
      requireUserVerification: false,
    }),
  );
  if (!verified?.verified) return undefined;
  const { id, publicKey, counter, transports = [] } = verified.registrationInfo.credential;
  const key = { credentialId: id, publicKey: Buffer.from(publicKey), counter, transports };
  return { ...key, userId: binding.userId, rpId };
}

/** Uses up the challenge and looks whether a passkey of the account has signed it. Throws `second-factor.expired`. */
export async function claimPasskeyAnswer(
  tx: Db,
  { publicUrl, req }: PasskeyCall,
  { binding, response }: { binding: ChallengeBinding; response: Json },
): Promise<boolean> {
  const rpId = relyingPartyId(publicUrl, req);
  const expectedChallenge = await claimChallenge(tx, binding);
  const keys = await listPasskeyKeys(tx, binding.userId, rpId);
  const key = keys.find(({ credentialId }) => credentialId === response['id']);
  if (!key) return false;
  const verified = await unlessRefused(() =>
    verifyAuthenticationResponse({
      response: response as unknown as AuthenticationResponseJSON, // the library checks what it reads
      expectedChallenge,
      expectedOrigin: callerOrigin(publicUrl, req),
      expectedRPID: rpId,
      credential: { id: key.credentialId, publicKey: new Uint8Array(key.publicKey), counter: key.counter },
      requireUserVerification: false,
    }),
  );
  if (!verified?.verified) return false;
  await recordPasskeyUse(tx, key.id, verified.authenticationInfo.newCounter);
  return true;
}

/** The library throws for everything that is not as it must be; what a browser sends proves nothing then. */
async function unlessRefused<Verified>(verify: () => Promise<Verified>): Promise<Verified | undefined> {
  try {
    return await verify();
  } catch {
    return undefined;
  }
}
