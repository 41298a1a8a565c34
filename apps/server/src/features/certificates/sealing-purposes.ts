/** What each sealed key is bound to. */
export function accountPurpose(directoryUrl: string): string {
  return `acme account:${directoryUrl}`;
}

/** The private key of a certificate, and already of its order. */
export function keyPurpose(subject: string): string {
  return `certificate:${subject}`;
}
