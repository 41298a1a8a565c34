import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { AppError } from '@tongtu/contract';
import { z } from 'zod';
import type { Db } from '../../../db/driver.ts';
import type { CallRequest } from '../../../http/session.ts';
import {
  claimChallenge,
  claimLoginChallenge,
  insertLoginChallenge,
  upsertChallenge,
  type ChallengeBinding,
} from './passkey-challenge-store.ts';
import { findCredential, listCredentials, recordPasskeyUse, type NewPasskey } from './passkey-store.ts';
import { callerOrigin, relyingPartyId } from './relying-party.ts';

type Json = Record<string, unknown>;
/** The host of the request decides which passkeys can be used. */
export type PasskeyCall = { publicUrl: string; req: CallRequest };

const RP_NAME = '通途';
// EdDSA, ES256, RS256. The library's default contains algorithms for which Node.js prints a warning.
const ALGORITHMS = [-8, -7, -257];

/** Loaded on demand: the library takes a fifth of a second, a tenth of a whole start. */
const webAuthn = async () => await import('@simplewebauthn/server');

/** The WebAuthn options with which the browser creates a passkey. */
export async function buildRegistrationOptions(
  db: Db,
  { publicUrl, req }: PasskeyCall,
  { binding, username }: { binding: ChallengeBinding; username: string },
): Promise<Json> {
  const rpID = relyingPartyId(publicUrl, req);
  const known = await listCredentials(db, binding.userId, rpID);
  const options = await (
    await webAuthn()
  ).generateRegistrationOptions({
    rpName: RP_NAME,
    rpID,
    userName: username,
    userDisplayName: username,
    userID: userHandle(binding.userId),
    attestationType: 'none',
    supportedAlgorithmIDs: ALGORITHMS,
    excludeCredentials: known.map(({ credentialId: id, transports }) => ({ id, transports })),
    // A discoverable passkey with user verification logs in alone. A security key without a PIN still is a second factor.
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
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
  const options = await (
    await webAuthn()
  ).generateAuthenticationOptions({
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
  const verified = await undefinedIfInvalid(({ verifyRegistrationResponse }) =>
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
  return { ...key, userId: binding.userId, rpId, isDiscoverable: readDiscoverable(response) };
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
  const verified = await undefinedIfInvalid(({ verifyAuthenticationResponse }) =>
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
  // A login's first step has proven the account in another way. A session, which confirms, may be older than a reset.
  const proven = binding.purpose === 'login' ? { needsPassword: false as const } : {};
  return await recordPasskeyUse(tx, { id: key.id, counter: verified.authenticationInfo.newCounter, ...proven });
}

/** The WebAuthn options with which the browser logs in by any passkey that it has for this console host. */
export async function createLoginOptions(db: Db, { publicUrl, req }: PasskeyCall, browserHash: Buffer): Promise<Json> {
  const rpID = relyingPartyId(publicUrl, req);
  const options = await (await webAuthn()).generateAuthenticationOptions({ rpID, userVerification: 'required' });
  await insertLoginChallenge(db, browserHash, options.challenge);
  return { ...options };
}

/** A passkey's answer that is valid; `counter` is still to be stored by `recordPasskeyUse`. */
export type ProvenPasskey = { userId: number; id: number; counter: number };

/**
 * Uses the challenge of a login by a passkey alone. Returns undefined for an answer that is not valid, without user
 * verification, or of an unknown passkey. Throws `second-factor.expired` without a challenge.
 */
export async function verifyLoginAnswer(
  db: Db,
  { publicUrl, req }: PasskeyCall,
  { browserHash, response }: { browserHash: Buffer | undefined; response: Json },
): Promise<ProvenPasskey | undefined> {
  const rpId = relyingPartyId(publicUrl, req);
  const answer = readLoginAnswer(response);
  const isOurs =
    browserHash !== undefined && answer !== undefined && (await claimLoginChallenge(db, browserHash, answer.challenge));
  if (!isOurs) throw new AppError('second-factor.expired');
  const key = await findCredential(db, { credentialId: answer.id, rpId });
  // WebAuthn Level 3 §7.2, step 6: the account that the passkey names must own it.
  if (!key || answer.userHandle !== userHandle(key.userId).toString('base64url')) return undefined;
  const verified = await undefinedIfInvalid(({ verifyAuthenticationResponse }) =>
    verifyAuthenticationResponse({
      response: response as unknown as AuthenticationResponseJSON, // the library checks what it reads
      expectedChallenge: answer.challenge,
      expectedOrigin: callerOrigin(publicUrl, req),
      expectedRPID: rpId,
      credential: { id: key.credentialId, publicKey: new Uint8Array(key.publicKey), counter: key.counter },
      requireUserVerification: true,
    }),
  );
  if (!verified?.verified) return undefined;
  return { userId: key.userId, id: key.id, counter: verified.authenticationInfo.newCounter };
}

function userHandle(userId: number): Buffer<ArrayBuffer> {
  return Buffer.from(`tongtu:${userId}`);
}

const LoginAnswer = z.object({
  id: z.string(),
  response: z.object({ clientDataJSON: z.string(), userHandle: z.string().nullish() }),
});
const ClientData = z.object({ challenge: z.string() });

/** What an answer (AuthenticationResponseJSON) says before it is verified; undefined when it is malformed. */
function readLoginAnswer(answer: Json) {
  const read = LoginAnswer.safeParse(answer).data;
  if (!read) return undefined;
  const { id, response } = read;
  try {
    const text = Buffer.from(response.clientDataJSON, 'base64url').toString();
    const clientData = ClientData.safeParse(JSON.parse(text)).data;
    return clientData && { id, userHandle: response.userHandle, challenge: clientData.challenge };
  } catch {
    return undefined; // not JSON
  }
}

const CreatedCredential = z.object({
  clientExtensionResults: z.object({ credProps: z.object({ rk: z.boolean().optional() }).optional() }).optional(),
});

/** What the browser says of the new passkey (credProps, WebAuthn Level 3 §10.1.3); null when it says nothing. */
function readDiscoverable(response: Json): boolean | null {
  return CreatedCredential.safeParse(response).data?.clientExtensionResults?.credProps?.rk ?? null;
}

/** The library throws for an invalid answer of the browser. */
async function undefinedIfInvalid<Verified>(
  verify: (library: Awaited<ReturnType<typeof webAuthn>>) => Promise<Verified>,
): Promise<Verified | undefined> {
  const library = await webAuthn();
  try {
    return await verify(library);
  } catch {
    return undefined;
  }
}
