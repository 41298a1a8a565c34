import { createPrivateKey, X509Certificate } from 'node:crypto';
import { createSecureContext, type SecureContext } from 'node:tls';
import type { KeyAndCert } from '../config/relay-config.ts';
import { tlsParameters } from './tls-parameters.ts';

const HOST_NAME = /^(\*\.)?([a-z0-9_-]+\.)*[a-z0-9_-]+$/;

/** A certificate for visitors. */
export class ServedCertificate {
  readonly pair: KeyAndCert;
  readonly names: readonly string[];
  readonly coversAddresses: boolean;
  /** It is self-signed. */
  readonly isSelfSigned: boolean;
  readonly notBeforeMs: number;
  readonly notAfterMs: number;
  #context: SecureContext | undefined;

  /** `names` replaces the names of the certificate. Throws when key and certificate are no pair. */
  constructor(pair: KeyAndCert, names?: readonly string[]) {
    const leaf = new X509Certificate(pair.cert);
    if (!leaf.checkPrivateKey(createPrivateKey(pair.key))) throw new Error('the key is not that of the certificate');
    this.pair = pair;
    this.names = names ?? namesOf(leaf);
    this.coversAddresses = leaf.subjectAltName?.includes('IP Address:') === true;
    this.isSelfSigned = leaf.checkIssued(leaf);
    this.notBeforeMs = leaf.validFromDate.getTime();
    this.notAfterMs = leaf.validToDate.getTime();
  }

  /** Created at first use, and shared by all connections. Throws OpenSSL's error. */
  get context(): SecureContext {
    this.#context ??= createSecureContext({ ...tlsParameters, ...this.pair });
    return this.#context;
  }

  isValidAt(wallClockMs: number): boolean {
    return this.notBeforeMs <= wallClockMs && wallClockMs < this.notAfterMs;
  }
}

/** Its alternative names (SAN), or without them its subject. */
function namesOf(leaf: X509Certificate): string[] {
  const names = (leaf.subjectAltName ?? '')
    .toLowerCase()
    .split(', ')
    .filter((entry) => entry.startsWith('dns:'))
    .map((entry) => entry.slice('dns:'.length));
  const subject = /^CN=(.+)$/m.exec(leaf.subject)?.[1]?.toLowerCase();
  if (leaf.subjectAltName === undefined && subject !== undefined) names.push(subject);
  return names.filter((name) => HOST_NAME.test(name));
}
