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
import { claimChallenge, upsertChallenge, type ChallengeBinding } from './passkey-challenge-store.ts';
import { listCredentials, recordPasskeyUse, type NewPasskey } from './passkey-store.ts';
import { callerOrigin, relyingPartyId } from './relying-party.ts';

type Json = Record<string, unknown>;
/** The host of the request decides which passkeys can be used. */
export type PasskeyCall = { publicUrl: string; req: CallRequest };

const RP_NAME = '通途';
// EdDSA, ES256, RS256. The library's default contains algorithms for which Node.js prints a warning.
const ALGORITHMS = [-8, -7, -257];

/** The WebAuthn options with which the browser creates a passkey. */
export async function buildRegistrationOptions(
  db: Db,
  { publicUrl, req }: PasskeyCall,
  { binding, username }: { binding: ChallengeBinding; username: string },
): Promise<Json> {
  const rpID = relyingPartyId(publicUrl, req);
  const known = await listCredentials(db, binding.userId, rpID);
  const options = await generateRegistrationOptions({
    rpName: RP_NAME,
    rpID,
    userName: username,
    userDisplayName: username,
    userID: Buffer.from(`tongtu:${binding.userId}`),
    attestationType: 'none',
    supportedAlgorithmIDs: ALGORITHMS,
    excludeCredentials: known.map(({ credentialId: id, transports }) => ({ id, transports })),
    // A security key without a PIN or resident keys is enough, because the passkey only follows a first step.
    authenticatorSelection: { residentKey: 'discouraged', userVerification: 'preferred' },
  });
  await upsertChallenge(db, binding, options.challenge);
  return { ...options };
}

/** The WebAuthn options with which the browser uses a passkey of the account. */
export async function createAuthenticationOptions(
  db: Db,
  { publicUrl, req }: PasskeyCall,
  binding: ChallengeBinding,
): Promise<Json> {
  const rpID = relyingPartyId(publicUrl, req);
  const known = await listCredentials(db, binding.userId, rpID);
  const options = await generateAuthenticationOptions({
    rpID,
    allowCredentials: known.map(({ credentialId: id, transports }) => ({ id, transports })),
    userVerification: 'preferred',
  });
  await upsertChallenge(db, binding, options.challenge);
  return { ...options };
}

/** The credential that the browser created; undefined when its answer is not valid. Throws `second-factor.expired`. */
export async function verifyNewPasskey(
  db: Db,
  { publicUrl, req }: PasskeyCall,
  { binding, response }: { binding: ChallengeBinding; response: Json },
): Promise<Omit<NewPasskey, 'name'> | undefined> {
  const rpId = relyingPartyId(publicUrl, req);
  const expectedChallenge = await claimChallenge(db, binding);
  const verified = await undefinedIfInvalid(() =>
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

/** Uses the challenge and returns whether a passkey of the account has signed it. Throws `second-factor.expired`. */
export async function verifyPasskeyAnswer(
  tx: Db,
  { publicUrl, req }: PasskeyCall,
  { binding, response }: { binding: ChallengeBinding; response: Json },
): Promise<boolean> {
  const rpId = relyingPartyId(publicUrl, req);
  const expectedChallenge = await claimChallenge(tx, binding);
  const keys = await listCredentials(tx, binding.userId, rpId);
  const key = keys.find(({ credentialId }) => credentialId === response['id']);
  if (!key) return false;
  const verified = await undefinedIfInvalid(() =>
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

/** The library throws for an invalid answer of the browser. */
async function undefinedIfInvalid<Verified>(verify: () => Promise<Verified>): Promise<Verified | undefined> {
  try {
    return await verify();
  } catch {
    return undefined;
  }
}
