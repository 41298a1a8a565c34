import type { SecureContext } from 'node:tls';
import type { ServedCertificate } from './served-certificate.ts';

export type CertificateSource = 'files' | 'server';

/**
 * Which certificate a visitor is shown, by the name it asks for. The self-signed one is for names that nobody has a
 * certificate for, and for visitors that ask for none, as those of an IP address do.
 */
export class CertificateStore {
  readonly #selfSigned: ServedCertificate;
  readonly #wallClockMs: () => number;
  readonly #sources: Record<CertificateSource, readonly ServedCertificate[]> = { files: [], server: [] };
  /** Those that end last come first. */
  #byName = new Map<string, ServedCertificate[]>();
  /** Told when the certificate for visitors without a name is another one. */
  onDefaultChanged: () => void = () => {};

  constructor(selfSigned: ServedCertificate, wallClockMs: () => number) {
    this.#selfSigned = selfSigned;
    this.#wallClockMs = wallClockMs;
  }

  /** Everything one source has; what it had before and does not show is gone. */
  replace(source: CertificateSource, certificates: readonly ServedCertificate[]): void {
    const before = this.default;
    this.#sources[source] = certificates;
    this.#byName = byName([...this.#sources.files, ...this.#sources.server]);
    if (this.default !== before) this.onDefaultChanged();
  }

  /** For visitors that name nobody: one of the operator's that was made for addresses, else the self-signed one. */
  get default(): ServedCertificate {
    const files = this.#sources.files.filter((certificate) => certificate.coversAddresses);
    return this.#firstValid(files.toSorted(endsLater)) ?? this.#selfSigned;
  }

  contextFor(serverName: string): SecureContext {
    return (this.#find(serverName.toLowerCase()) ?? this.#selfSigned).context;
  }

  /** Whether a visitor who asks for that name gets a certificate that was made for it. */
  covers(host: string): boolean {
    if (this.#find(host) !== undefined) return true;
    return this.#selfSigned.names.some((name) => name === host || name === wildcardOf(host));
  }

  /** The exact name first, then one for the whole level; expired ones only where there is nothing better. */
  #find(name: string): ServedCertificate | undefined {
    const exact = this.#byName.get(name) ?? [];
    const wildcard = this.#byName.get(wildcardOf(name)) ?? [];
    return this.#firstValid(exact) ?? this.#firstValid(wildcard) ?? exact[0] ?? wildcard[0];
  }

  #firstValid(certificates: readonly ServedCertificate[]): ServedCertificate | undefined {
    const wallClockMs = this.#wallClockMs();
    return certificates.find((certificate) => certificate.isValidAt(wallClockMs));
  }
}

function byName(certificates: readonly ServedCertificate[]): Map<string, ServedCertificate[]> {
  const index = new Map<string, ServedCertificate[]>();
  for (const certificate of certificates.toSorted(endsLater)) {
    for (const name of certificate.names) {
      const same = index.get(name);
      if (same === undefined) index.set(name, [certificate]);
      else same.push(certificate);
    }
  }
  return index;
}

function endsLater(a: ServedCertificate, b: ServedCertificate): number {
  return b.notAfterMs - a.notAfterMs;
}

function wildcardOf(name: string): string {
  const dot = name.indexOf('.');
  return dot === -1 ? '' : `*${name.slice(dot)}`;
}
