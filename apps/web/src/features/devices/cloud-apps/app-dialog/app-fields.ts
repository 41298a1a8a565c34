import type { CloudApp } from '@tongtu/contract';
import { appKinds, type CloudAppKind, hasAppField } from '@tongtu/contract/app-kinds';

/**
 * A password or a key of the form. The console never sees a stored one: it can only keep it, replace it or clear it.
 * An empty text is none.
 */
export type SecretChoice = { type: 'keep' } | { type: 'set'; text: string } | { type: 'clear' };

/** The values of the form, including those that the chosen kind does not have. The port is text, as typed. */
export type AppFields = {
  kind: CloudAppKind;
  name: string;
  host: string;
  /** Empty for the usual one of the kind. */
  port: string;
  username: string;
  domain: string;
  path: string;
  encoding: CloudApp['options']['encoding'];
  nameEncoding: CloudApp['options']['name_encoding'];
  tls: boolean;
  oldAlgorithms: boolean;
  /** As typed. */
  mac: string;
  password: SecretChoice;
  privateKey: SecretChoice;
  passphrase: SecretChoice;
  /** Null once it is to be forgotten. */
  hostKey: string | null;
  needsSecondFactor: boolean;
};

const HTTPS_PORT = 443;

/** The port of a target whose port was left empty. */
export function usualPort({ kind, tls }: Pick<AppFields, 'kind' | 'tls'>): number {
  return kind === 'webdav' && tls ? HTTPS_PORT : appKinds[kind].defaultPort;
}

export function emptyFields(kind: CloudAppKind): AppFields {
  return {
    kind,
    name: '',
    host: '',
    port: '',
    username: '',
    domain: '',
    path: '',
    encoding: 'utf-8',
    nameEncoding: 'auto',
    tls: false,
    oldAlgorithms: false,
    mac: '',
    password: secretOf(false),
    privateKey: secretOf(false),
    passphrase: secretOf(false),
    hostKey: null,
    needsSecondFactor: false,
  };
}

function secretOf(isStored: boolean): SecretChoice {
  return isStored ? { type: 'keep' } : { type: 'set', text: '' };
}

export function fieldsOf(app: CloudApp): AppFields {
  const { kind, name, host, port, options } = app;
  return {
    ...{ kind, name, host, port: String(port) },
    ...{ username: options.username, domain: options.domain, path: options.path },
    ...{ encoding: options.encoding, nameEncoding: options.name_encoding, tls: options.tls, mac: options.mac },
    oldAlgorithms: options.old_algorithms,
    password: secretOf(app.has_password),
    privateKey: secretOf(app.has_private_key),
    passphrase: secretOf(app.has_passphrase),
    hostKey: app.host_key,
    needsSecondFactor: app.needs_second_factor,
  };
}

/** Whether the form shows this field. The passphrase belongs to the private key. */
export function isShown(name: keyof AppFields, { kind, privateKey }: AppFields): boolean {
  switch (name) {
    case 'username':
    case 'domain':
    case 'path':
    case 'encoding':
    case 'tls':
    case 'password':
      return hasAppField(kind, name);
    case 'nameEncoding':
      return hasAppField(kind, 'name_encoding');
    case 'oldAlgorithms':
      return hasAppField(kind, 'old_algorithms');
    case 'privateKey':
      return hasAppField(kind, 'private_key');
    case 'passphrase':
      return hasAppField(kind, 'private_key') && !isWithout(privateKey);
    default:
      return true;
  }
}

/** Whether there is none after saving. */
function isWithout(secret: SecretChoice): boolean {
  return secret.type === 'clear' || (secret.type === 'set' && secret.text === '');
}
