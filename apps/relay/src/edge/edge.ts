import type { EdgeState } from '@tongtu/contract';
import type { Logger } from 'pino';
import type { KeyAndCert } from '../relay-config.ts';
import { CertificateFiles } from './certificate-files.ts';
import type { CertificatePaths } from './certificate-paths.ts';
import { CertificateStore } from './certificate-store.ts';
import { ServedCertificate } from './served-certificate.ts';

const SETTLE_MS = 300;
const POLL_MS = 60_000;

export type EdgeOptions = {
  selfSigned: KeyAndCert;
  files: CertificatePaths;
  nowMs: () => number;
  log: Logger;
};

/** What the relay shows of itself before HTTP begins, as the operator's files and the server tell it. */
export class Edge implements Disposable {
  readonly certificates: CertificateStore;
  readonly #files: CertificateFiles;
  readonly #log: Logger;
  /** By certificate, so that what is sent again is not read again; undefined: it cannot be used. */
  #issued = new Map<string, ServedCertificate | undefined>();
  #challenges = new Map<string, string>();
  onTicketKeys: (keys: Buffer) => void = () => {};

  constructor({ selfSigned, files, nowMs, log }: EdgeOptions) {
    this.certificates = new CertificateStore(new ServedCertificate(selfSigned), nowMs);
    this.#log = log;
    this.#files = new CertificateFiles({
      paths: files,
      onChange: (certificates) => this.certificates.replace('files', certificates),
      log,
      settleMs: SETTLE_MS,
      pollMs: POLL_MS,
    });
  }

  /** Resolves when the operator's certificates are in use. */
  async start(): Promise<void> {
    await this.#files.start();
  }

  /** The answer to an ACME challenge (RFC 8555 §8.3), if the server has told one. */
  challengeAnswer(token: string): string | undefined {
    return this.#challenges.get(token);
  }

  /** Takes the whole state as the server sends it. */
  apply(state: EdgeState): void {
    this.#challenges = new Map(state.challenges.map(({ token, keyAuthorization }) => [token, keyAuthorization]));
    this.onTicketKeys(Buffer.from(state.ticketKeys, 'base64url'));
    const issued = new Map<string, ServedCertificate | undefined>();
    for (const { names, cert, key } of state.certificates) {
      const id = `${names.join(' ')}\n${cert}${key}`;
      issued.set(id, this.#issued.has(id) ? this.#issued.get(id) : this.#read({ cert, key }, names));
    }
    this.#issued = issued;
    this.certificates.replace(
      'server',
      [...issued.values()].filter((certificate) => certificate !== undefined),
    );
  }

  [Symbol.dispose](): void {
    this.#files[Symbol.dispose]();
  }

  #read(pair: KeyAndCert, names: readonly string[]): ServedCertificate | undefined {
    try {
      return new ServedCertificate(pair, names);
    } catch (err) {
      this.#log.error({ err, names }, 'a certificate of the server is not used');
      return undefined;
    }
  }
}
