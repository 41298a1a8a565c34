import { CertificateFiles, type ServedCertificate } from '@tongtu/relay/certificate-files';
import { pino } from 'pino';
import type { CertificateFiles as Paths } from './certificates.ts';

export type CertificatesOnFile = Disposable & {
  /** Whether browsers are shown one of them for this name, and an authority gave it. */
  cover: (host: string) => boolean;
};

const SETTLE_MS = 300;
const POLL_MS = 60_000;

/** What the relays show of the operator's files, for the server, which does not see it. */
export async function openCertificatesOnFile(paths: Paths, nowMs: () => number): Promise<CertificatesOnFile> {
  let current: readonly ServedCertificate[] = [];
  const files = new CertificateFiles({
    paths,
    onChange: (certificates) => (current = certificates),
    log: pino({ level: 'silent' }), // the relays tell what is wrong with a file
    settleMs: SETTLE_MS,
    pollMs: POLL_MS,
  });
  await files.start();
  return {
    cover: (host) => {
      const names = [host, `*${host.slice(host.indexOf('.'))}`];
      return current
        .filter((certificate) => !certificate.isSelfSigned && certificate.isValidAt(nowMs()))
        .some((certificate) => names.some((name) => certificate.names.includes(name)));
    },
    [Symbol.dispose]: () => files[Symbol.dispose](),
  };
}
