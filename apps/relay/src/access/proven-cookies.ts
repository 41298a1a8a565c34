import type { ProofPlace, VisitorProof } from './visitor-proof.ts';

/** The most that are remembered for one key, some 300 bytes each. */
const MAX_REMEMBERED = 10_000;

type Proven = { place: ProofPlace; proof: VisitorProof };

// A key is never changed in place, so its entries are released together with it.
const provenCookies = new WeakMap<Buffer, Map<string, Proven>>();

/**
 * The proof of a cookie whose signature was verified lately with this key, place and value. The caller checks whether
 * the proof is still valid. An HMAC for each request would take a quarter of the relay's time.
 */
export function findProvenCookie(
  gateKey: Buffer,
  { host, scheme }: ProofPlace,
  value: string,
): VisitorProof | undefined {
  const proven = provenCookies.get(gateKey)?.get(value);
  return proven?.place.host === host && proven.place.scheme === scheme ? proven.proof : undefined;
}

/** Only for values with a valid signature, so that nobody else can evict them. */
export function rememberProvenCookie(gateKey: Buffer, place: ProofPlace, value: string, proof: VisitorProof): void {
  let cookies = provenCookies.get(gateKey);
  if (cookies === undefined) {
    cookies = new Map();
    provenCookies.set(gateKey, cookies);
  }
  for (const oldest of cookies.keys()) {
    if (cookies.size < MAX_REMEMBERED) break;
    cookies.delete(oldest);
  }
  // A copy: the value is a slice of the request's head and would keep all of it in memory.
  cookies.set(Buffer.from(value, 'latin1').toString('latin1'), { place, proof });
}
