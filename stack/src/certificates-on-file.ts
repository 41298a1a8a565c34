import { CertificateFiles, type ServedCertificate } from '@tongtu/relay/certificate-files';
import { pino } from 'pino';
import type { CertificateFiles as Paths } from './certificates.ts';

/** `atMs`: when the certificate ends, or begins to be valid. */
export type CertificateProblem =
  | { type: 'missing' | 'self-signed' }
  | { type: 'expired' | 'not-yet-valid' | 'ends-soon'; atMs: number };

export type CertificatesOnFile = Disposable & {
  /** Whether relays serve one of them for this name, issued by an authority and valid. */
  cover: (host: string) => boolean;
  /** What is wrong with the best of them for this name, which may be a wildcard. */
  problemOf: (host: string) => CertificateProblem | undefined;
};

const SETTLE_MS = 300;
const POLL_MS = 60_000;
/** Renewals come well before: at a third of the lifetime, or 30 days. */
const SOON_MS = 14 * 86_400_000;
const SOON_OF_LIFETIME = 1 / 6;

/** Reads the operator's certificate files as the relays do, so that the server knows which names they cover. */
export async function openCertificatesOnFile(paths: Paths, wallClockMs: () => number): Promise<CertificatesOnFile> {
  let current: readonly ServedCertificate[] = [];
  const files = new CertificateFiles({
    paths,
    onChange: (certificates) => (current = certificates),
    log: pino({ level: 'silent' }), // the relays log what is wrong with a file
    settleMs: SETTLE_MS,
    pollMs: POLL_MS,
  });
  await files.start();
  const named = (host: string) => {
    const names = [host, `*${host.slice(host.indexOf('.'))}`];
    const found = current.filter((certificate) => names.some((name) => certificate.names.includes(name)));
    return found.toSorted((a, b) => b.notAfterMs - a.notAfterMs);
  };
  const isGood = (certificate: ServedCertificate) => !certificate.isSelfSigned && certificate.isValidAt(wallClockMs());
  return {
    cover: (host) => named(host).some(isGood),
    problemOf: (host) => {
      const found = named(host);
      const good = found.find(isGood);
      return good === undefined ? problemOf(found[0], wallClockMs()) : endsSoon(good, wallClockMs());
    },
    [Symbol.dispose]: () => files[Symbol.dispose](),
  };
}

function problemOf(certificate: ServedCertificate | undefined, wallClockMs: number): CertificateProblem {
  if (certificate === undefined) return { type: 'missing' };
  if (certificate.notAfterMs <= wallClockMs) return { type: 'expired', atMs: certificate.notAfterMs };
  if (certificate.notBeforeMs > wallClockMs) return { type: 'not-yet-valid', atMs: certificate.notBeforeMs };
  return { type: 'self-signed' };
}

function endsSoon({ notBeforeMs, notAfterMs }: ServedCertificate, wallClockMs: number): CertificateProblem | undefined {
  const soonMs = Math.min(SOON_MS, (notAfterMs - notBeforeMs) * SOON_OF_LIFETIME);
  return notAfterMs - wallClockMs < soonMs ? { type: 'ends-soon', atMs: notAfterMs } : undefined;
}
