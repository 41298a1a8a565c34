import { createPrivateKey, X509Certificate } from 'node:crypto';
import { createSecureContext, type SecureContext } from 'node:tls';
import type { KeyAndCert } from '../config/relay-config.ts';
import { tlsParameters } from './tls-parameters.ts';

const HOST_NAME = /^(\*\.)?([a-z0-9_-]+\.)*[a-z0-9_-]+$/;

/** A certificate that can be shown to visitors. */
export class ServedCertificate {
  readonly pair: KeyAndCert;
  readonly names: readonly string[];
  readonly coversAddresses: boolean;
  /** No authority vouches for it. */
  readonly isSelfSigned: boolean;
  readonly notBeforeMs: number;
  readonly notAfterMs: number;
  #context: SecureContext | undefined;

  /** `names` where somebody else answers for what it may be shown for. Throws when key and certificate are no pair. */
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

  /** Made once, when it is first needed, and then shared by all connections. Throws what OpenSSL has against it. */
  get context(): SecureContext {
    this.#context ??= createSecureContext({ ...tlsParameters, ...this.pair });
    return this.#context;
  }

  isValidAt(wallClockMs: number): boolean {
    return this.notBeforeMs <= wallClockMs && wallClockMs < this.notAfterMs;
  }
}

/** The names it was made for; one without alternative names is known by its subject alone. */
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
