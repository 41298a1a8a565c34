import type { EdgeCertificate, EdgeState } from '@tongtu/contract';
import type { Logger } from 'pino';
import { CertificateFiles } from './certificate-files.ts';
import type { KeyAndCert, CertificatePaths } from '../config/relay-config.ts';
import { CertificateStore } from './certificate-store.ts';
import { ServedCertificate } from './served-certificate.ts';

const SETTLE_MS = 300;
const POLL_MS = 60_000;

/** Undefined: it cannot be used. */
type IssuedCertificate = { source: EdgeCertificate; certificate: ServedCertificate | undefined };

export type EdgeOptions = {
  selfSigned: KeyAndCert;
  files: CertificatePaths;
  wallClockMs: () => number;
  log: Logger;
};

/** The relay's certificates, ACME answers and ticket keys, from the operator's files and the server. */
export class Edge implements Disposable {
  readonly certificates: CertificateStore;
  readonly #files: CertificateFiles;
  readonly #log: Logger;
  /** The certificates of the server by their ids. */
  readonly #issued = new Map<number, IssuedCertificate>();
  #challenges = new Map<string, string>();
  onTicketKeys: (keys: Buffer) => void = () => {};

  constructor({ selfSigned, files, wallClockMs, log }: EdgeOptions) {
    this.certificates = new CertificateStore(new ServedCertificate(selfSigned), wallClockMs);
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

  /** The answer to an ACME challenge (RFC 8555 §8.3), if the server has sent one. */
  challengeAnswer(token: string): string | undefined {
    return this.#challenges.get(token);
  }

  /** Takes the whole state as the server sends it. */
  apply(state: EdgeState): void {
    this.#challenges = new Map(state.challenges.map(({ token, keyAuthorization }) => [token, keyAuthorization]));
    this.onTicketKeys(Buffer.from(state.ticketKeys, 'base64url'));
  }

  /** Adds certificates; one with a known id replaces the one before. */
  putCertificates(certificates: readonly EdgeCertificate[]): void {
    for (const source of certificates) {
      const before = this.#issued.get(source.id);
      // The server repeats all certificates after a reconnection: unchanged ones are not read again.
      if (before === undefined || !isSame(before.source, source)) this.#issued.set(source.id, this.#read(source));
    }
    this.#showIssued();
  }

  /** Removes the server's certificates except these. */
  keepCertificates(ids: readonly number[]): void {
    const kept = new Set(ids);
    for (const id of this.#issued.keys()) if (!kept.has(id)) this.#issued.delete(id);
    this.#showIssued();
  }

  [Symbol.dispose](): void {
    this.#files[Symbol.dispose]();
  }

  #showIssued(): void {
    this.certificates.replace(
      'server',
      [...this.#issued.values()].flatMap(({ certificate }) => certificate ?? []),
    );
  }

  #read(source: EdgeCertificate): IssuedCertificate {
    const { names, cert, key } = source;
    try {
      return { source, certificate: new ServedCertificate({ cert, key }, names) };
    } catch (err) {
      this.#log.error({ err, names }, 'a certificate of the server is not used');
      return { source, certificate: undefined };
    }
  }
}

function isSame(one: EdgeCertificate, other: EdgeCertificate): boolean {
  return one.cert === other.cert && one.key === other.key && one.names.join(' ') === other.names.join(' ');
}
