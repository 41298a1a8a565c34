import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';

type Json = Record<string, unknown>;
type Cbor = Parameters<typeof isoCBOR.encode>[0];

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const HAS_CREDENTIAL = 0x40;

/** What an answer says besides the signature; a test may lie in it. */
type Answered = { isVerified?: boolean; userHandle?: string | undefined };

/** A security key in memory (ES256, no attestation), together with a browser that shows a page of `origin`. */
export class SoftwareAuthenticator {
  readonly #origin: string;
  readonly #privateKey: KeyObject;
  readonly #publicKey: KeyObject;
  readonly #id = randomBytes(32);
  /** Of the account that the passkey was created for. */
  #userHandle: string | undefined;
  counter = 0;

  constructor(origin = 'http://localhost') {
    this.#origin = origin;
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    this.#privateKey = privateKey;
    this.#publicKey = publicKey;
  }

  /** Answers `navigator.credentials.create`. */
  create(options: Json): Json {
    const { rp, challenge, user } = options as { rp: { id: string }; challenge: string; user: { id: string } };
    this.#userHandle = user.id;
    const authData = Buffer.concat([this.#authData(rp.id, USER_PRESENT | HAS_CREDENTIAL), this.#credentialData()]);
    const attestation = new Map<string | number, Cbor>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', new Uint8Array(authData)],
    ]);
    return this.#answer({
      clientDataJSON: this.#clientData('webauthn.create', challenge).toString('base64url'),
      attestationObject: Buffer.from(isoCBOR.encode(attestation)).toString('base64url'),
      transports: ['usb'],
    });
  }

  /** Answers `navigator.credentials.get` of a login by a passkey alone: with user verification, and whose passkey it is. */
  logIn(options: Json, answered: Answered = {}): Json {
    return this.get(options, { isVerified: true, userHandle: this.#userHandle, ...answered });
  }

  /** Answers `navigator.credentials.get`. */
  get(options: Json, { isVerified = false, userHandle }: Answered = {}): Json {
    const { rpId, challenge } = options as { rpId: string; challenge: string };
    const authData = this.#authData(rpId, isVerified ? USER_PRESENT | USER_VERIFIED : USER_PRESENT);
    const clientData = this.#clientData('webauthn.get', challenge);
    const signed = Buffer.concat([authData, createHash('sha256').update(clientData).digest()]);
    return this.#answer({
      clientDataJSON: clientData.toString('base64url'),
      authenticatorData: authData.toString('base64url'),
      signature: sign('sha256', signed, this.#privateKey).toString('base64url'),
      ...(userHandle === undefined ? {} : { userHandle }),
    });
  }

  #answer(response: Json): Json {
    const id = this.#id.toString('base64url');
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response };
  }

  #authData(rpId: string, flags: number): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(++this.counter);
    return Buffer.concat([createHash('sha256').update(rpId).digest(), Buffer.of(flags), counter]);
  }

  #credentialData(): Buffer {
    const { x = '', y = '' } = this.#publicKey.export({ format: 'jwk' });
    // COSE: key type EC2, ES256, P-256.
    const key = new Map<string | number, Cbor>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, new Uint8Array(Buffer.from(x, 'base64url'))],
      [-3, new Uint8Array(Buffer.from(y, 'base64url'))],
    ]);
    const idLength = Buffer.alloc(2);
    idLength.writeUInt16BE(this.#id.length);
    return Buffer.concat([Buffer.alloc(16), idLength, this.#id, isoCBOR.encode(key)]);
  }

  #clientData(type: string, challenge: string): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin: this.#origin, crossOrigin: false }));
  }
}
