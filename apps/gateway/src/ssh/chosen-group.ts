import { createPublicKey, diffieHellman, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { decodeDer, encodeDer } from '../encoding/der.ts';

const SEQUENCE = 0x30;
const INTEGER = 0x02;
const BIT_STRING = 0x03;

/** Its types leave out this kind of key. */
const generateDhKeys = generateKeyPairSync as unknown as (
  kind: 'dh',
  group: { prime: Buffer; generator: number },
) => { publicKey: KeyObject; privateKey: KeyObject };

/** What ssh2 uses of node's DiffieHellman. */
type ChosenGroup = {
  generateKeys(): Buffer;
  getPublicKey(): Buffer;
  computeSecret(theirs: Buffer): Buffer;
  getPrime(): Buffer;
  getGenerator(): Buffer;
};

/**
 * A Diffie-Hellman group that the target chooses. `createDiffieHellman` tests by itself whether the number is a safe
 * prime, which stops all sessions for 4 seconds with 4096 bits. A target that gives another number harms itself only.
 */
export function openChosenGroup(prime: Buffer, generator: Buffer): ChosenGroup {
  const { publicKey, privateKey } = generateDhKeys('dh', {
    prime,
    generator: generator.readUIntBE(0, generator.length),
  });
  const [algorithm, ours] = partsOf(publicKey);
  const [givenPrime, givenGenerator] = [Buffer.from(prime), Buffer.from(generator)]; // the next packet takes their place
  return {
    generateKeys: () => ours,
    getPublicKey: () => ours,
    computeSecret: (theirs) => diffieHellman({ privateKey, publicKey: keyOf(algorithm, theirs) }),
    getPrime: () => givenPrime,
    getGenerator: () => givenGenerator,
  };
}

/** Of a SubjectPublicKeyInfo (RFC 5280 §4.1.2.7): the algorithm with its group, and the number. */
function partsOf(key: KeyObject): [algorithm: Buffer, number: Buffer] {
  const [info] = decodeDer(key.export({ type: 'spki', format: 'der' }));
  const [algorithm, bits] = decodeDer(info?.content ?? Buffer.alloc(0));
  const [number] = decodeDer(bits?.content.subarray(1) ?? Buffer.alloc(0));
  if (algorithm === undefined || number === undefined) throw new Error('a public key without its parts');
  return [encodeDer(algorithm.tag, algorithm.content), number.content];
}

function keyOf(algorithm: Buffer, number: Buffer): KeyObject {
  const bits = encodeDer(BIT_STRING, Buffer.concat([Buffer.of(0), encodeDer(INTEGER, positive(number))]));
  const key = encodeDer(SEQUENCE, Buffer.concat([algorithm, bits]));
  return createPublicKey({ key, type: 'spki', format: 'der' });
}

/** As DER has it: shortest, and with a zero before what would count as a sign. */
function positive(number: Buffer): Buffer {
  const begin = number.findIndex((byte) => byte !== 0);
  const digits = begin < 0 ? number.subarray(0, 0) : number.subarray(begin);
  return (digits[0] ?? 0xff) < 0x80 ? digits : Buffer.concat([Buffer.of(0), digits]);
}
