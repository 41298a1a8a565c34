import type { SecureContext } from 'node:tls';
import type { ServedCertificate } from './served-certificate.ts';
import { TrustedRoots } from './trusted-roots.ts';

export type CertificateSource = 'files' | 'server';

/**
 * Chooses the certificate by the server name (SNI). The self-signed one is for names without a certificate, and for
 * visitors without SNI, such as those of an IP address.
 */
export class CertificateStore {
  readonly #selfSigned: ServedCertificate;
  readonly #wallClockMs: () => number;
  readonly #roots = new TrustedRoots();
  readonly #trustedUntilMs = new WeakMap<ServedCertificate, number>();
  readonly #sources: Record<CertificateSource, readonly ServedCertificate[]> = { files: [], server: [] };
  /** Sorted by expiry, the latest first. */
  #byName = new Map<string, ServedCertificate[]>();
  /** Called when the certificate for visitors without SNI changes. */
  onDefaultChanged: () => void = () => {};

  constructor(selfSigned: ServedCertificate, wallClockMs: () => number) {
    this.#selfSigned = selfSigned;
    this.#wallClockMs = wallClockMs;
  }

  /** Replaces all certificates of one source. */
  replace(source: CertificateSource, certificates: readonly ServedCertificate[]): void {
    const before = this.default;
    this.#sources[source] = certificates;
    this.#byName = byName([...this.#sources.files, ...this.#sources.server]);
    if (this.default !== before) this.onDefaultChanged();
  }

  /** For visitors without SNI: the operator's certificate for addresses, else the self-signed one. */
  get default(): ServedCertificate {
    const files = this.#sources.files.filter((certificate) => certificate.coversAddresses);
    return this.#firstValid(files.toSorted(endsLater)) ?? this.#selfSigned;
  }

  contextFor(serverName: string): SecureContext {
    return (this.#find(serverName.toLowerCase()) ?? this.#selfSigned).context;
  }

  /** Whether there is a certificate for this name. */
  covers(host: string): boolean {
    if (this.#find(host) !== undefined) return true;
    return this.#selfSigned.names.some((name) => name === host || name === wildcardOf(host));
  }

  /** Until when browsers probably trust the certificate that is shown for this name; 0: they do not. */
  trustedUntilMs(host: string): number {
    const certificate = this.#find(host);
    if (certificate === undefined || !certificate.isValidAt(this.#wallClockMs())) return 0;
    const known = this.#trustedUntilMs.get(certificate);
    if (known !== undefined) return known;
    const untilMs = this.#roots.trustedUntilMs(certificate.pair.cert);
    this.#trustedUntilMs.set(certificate, untilMs);
    return untilMs;
  }

  /** The exact name first, then a wildcard; expired certificates only when there is no other. */
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
