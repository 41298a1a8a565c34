import { HostKeyChangedError } from './host-keys.ts';
import { HostKeyError } from './login-errors.ts';

/**
 * How a call of the file manager asks whether a host key may be trusted: it fails with the fingerprint, and the user
 * connects anew with the fingerprint as the answer.
 */
export function trustOnly(trusted: string | undefined): (fingerprint: string) => Promise<boolean> {
  return (fingerprint) =>
    fingerprint === trusted ? Promise.resolve(true) : Promise.reject(new HostKeyError(fingerprint, null));
}

/** A changed host key as the file manager's calls report it. */
export function asHostKeyError(error: unknown): unknown {
  return error instanceof HostKeyChangedError ? new HostKeyError(error.fingerprint, error.known) : error;
}
