import { CertificateFiles, type ServedCertificate } from '@tongtu/relay/certificate-files';
import { pino } from 'pino';
import type { CertificateFiles as Paths } from './certificates.ts';

export type CertificatesOnFile = Disposable & {
  /** Whether relays serve one of them for this name, issued by an authority and valid. */
  cover: (host: string) => boolean;
};

const SETTLE_MS = 300;
const POLL_MS = 60_000;

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
  return {
    cover: (host) => {
      const names = [host, `*${host.slice(host.indexOf('.'))}`];
      return current
        .filter((certificate) => !certificate.isSelfSigned && certificate.isValidAt(wallClockMs()))
        .some((certificate) => names.some((name) => certificate.names.includes(name)));
    },
    [Symbol.dispose]: () => files[Symbol.dispose](),
  };
}
