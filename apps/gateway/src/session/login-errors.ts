/** The user has to type something before the target can be tried. */
export class CredentialsRequiredError extends Error {
  override readonly name = 'CredentialsRequiredError';
  readonly wanted: ('username' | 'password' | 'passphrase')[];
  constructor(wanted: CredentialsRequiredError['wanted']) {
    super(`credentials required: ${wanted.join(', ')}`);
    this.wanted = wanted;
  }
}

/** The target has shown a host key that is not the known one, or none is known. */
export class HostKeyError extends Error {
  override readonly name = 'HostKeyError';
  readonly fingerprint: string;
  readonly known: string | null;
  constructor(fingerprint: string, known: string | null) {
    super(known === null ? 'unknown host key' : 'changed host key');
    this.fingerprint = fingerprint;
    this.known = known;
  }
}
