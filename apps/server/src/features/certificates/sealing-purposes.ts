/** The purpose to which an ACME account's sealed key is bound. */
export function accountPurpose(directoryUrl: string): string {
  return `acme account:${directoryUrl}`;
}

/** The purpose to which the sealed private key of an order and its certificate is bound. */
export function keyPurpose(subject: string): string {
  return `certificate:${subject}`;
}
