import { X509Certificate } from 'node:crypto';
import { getCACertificates } from 'node:tls';

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;
/** Real chains have two or three certificates above the leaf. */
const MAX_CHAIN = 8;

/**
 * Says which certificates browsers probably trust: those whose chain ends at a root of Mozilla's list, which comes with
 * Node.js, or at one that this machine trusts. It checks less than a browser does (no revocation, no transparency logs):
 * a browser that distrusts the certificate ignores what was said on its trust.
 */
export class TrustedRoots {
  /** In turns: reading the system's roots takes 0.1 s, and Mozilla's mostly suffice. */
  readonly #sources: ReadonlyArray<() => readonly string[]>;
  readonly #bySubject: Array<Map<string, X509Certificate[]>> = [];

  constructor(
    sources: ReadonlyArray<() => readonly string[]> = [
      () => getCACertificates('default'), // and those of NODE_EXTRA_CA_CERTS
      () => getCACertificates('system'),
    ],
  ) {
    this.#sources = sources;
  }

  /** Until when the chain (PEM, the leaf first) leads to a root; 0 when it leads to none. */
  trustedUntilMs(pem: string): number {
    const [leaf, ...others] = (pem.match(CERTIFICATE) ?? []).map((text) => new X509Certificate(text));
    if (leaf === undefined || isIssuedBy(leaf, leaf)) return 0;
    for (const index of this.#sources.keys()) {
      const endMs = endOfChain(leaf, others.slice(0, MAX_CHAIN), this.#rootsOf(index));
      if (endMs > 0) return endMs;
    }
    return 0;
  }

  #rootsOf(index: number): Map<string, X509Certificate[]> {
    this.#bySubject[index] ??= bySubject(this.#sources[index]?.() ?? []);
    return this.#bySubject[index];
  }
}

/** Goes up from the leaf: to a root where there is one, else to another certificate of the chain, each once. */
function endOfChain(
  leaf: X509Certificate,
  others: readonly X509Certificate[],
  roots: ReadonlyMap<string, X509Certificate[]>,
): number {
  let [current, endMs] = [leaf, leaf.validToDate.getTime()];
  const left = new Set(others);
  for (;;) {
    const isIssuer = (issuer: X509Certificate) => issuer.ca && isIssuedBy(current, issuer);
    const root = roots.get(current.issuer)?.find(isIssuer);
    if (root !== undefined) return Math.min(endMs, root.validToDate.getTime());
    const next = [...left].find(isIssuer);
    if (next === undefined) return 0;
    left.delete(next);
    current = next;
    endMs = Math.min(endMs, next.validToDate.getTime());
  }
}

function isIssuedBy(certificate: X509Certificate, issuer: X509Certificate): boolean {
  return certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
}

function bySubject(pems: readonly string[]): Map<string, X509Certificate[]> {
  return Map.groupBy(
    pems.map((pem) => new X509Certificate(pem)),
    ({ subject }) => subject,
  );
}
