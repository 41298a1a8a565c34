import { randomBytes } from 'node:crypto';

const TOKEN_BYTES = 16;

/** A fresh secret of 128 random bits. The database keeps its hash. */
export function createInvitationToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url');
}

/** The console's page for it. The token stands in the fragment, which browsers send to no server: it is in no log. */
export function invitationUrl(publicUrl: string, token: string): string {
  return `${new URL(publicUrl).origin}/#/join?token=${token}`;
}
