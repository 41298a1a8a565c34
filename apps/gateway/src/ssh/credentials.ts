import type { GatewaySession } from '@tongtu/contract';

export type Credential = 'username' | 'password' | 'passphrase';

export type SshCredentials = {
  username: string;
  password?: string | undefined;
  privateKey?: string | undefined;
  passphrase?: string | undefined;
};

/** The user has to type some of the credentials: they are missing, or the target refused those it got. */
export class CredentialsError extends Error {
  override readonly name = 'CredentialsError';
  readonly refused: boolean;
  readonly wanted: readonly Credential[];
  constructor({ refused, wanted }: { refused: boolean; wanted: readonly Credential[] }) {
    super(refused ? 'credentials refused' : 'credentials missing');
    this.refused = refused;
    this.wanted = wanted;
  }
}

/** What the user has typed replaces what is stored, except the username: with it the app would be another one. */
export function chooseCredentials(
  { options, secrets }: GatewaySession,
  typed: { username?: string | undefined; password?: string | undefined; passphrase?: string | undefined },
): SshCredentials {
  const username = options.username || (typed.username ?? '');
  if (username === '') throw new CredentialsError({ refused: false, wanted: ['username'] });
  return {
    username,
    password: typed.password ?? secrets.password,
    privateKey: secrets.privateKey,
    passphrase: typed.passphrase ?? secrets.passphrase,
  };
}
