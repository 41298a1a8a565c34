import type { RequestBody } from '@tongtu/contract';
import type { AppPatchBody } from '../use-cloud-apps.ts';
import { type AppFields, isShown, type SecretChoice, usualPort } from './app-fields.ts';

type CreateBody = RequestBody<'POST /api/user/cloud_apps/'>;
type Options = NonNullable<AppPatchBody['options']>;
type Secrets = NonNullable<AppPatchBody['secrets']>;

const optionFields = {
  username: 'username',
  domain: 'domain',
  path: 'path',
  encoding: 'encoding',
  name_encoding: 'nameEncoding',
  tls: 'tls',
  mac: 'mac',
  old_algorithms: 'oldAlgorithms',
} as const satisfies Record<keyof Options, keyof AppFields>;

/** The options that the kind has; the server refuses the others. */
function optionsOf(fields: AppFields): Options {
  const shown = Object.entries(optionFields).filter(([, field]) => isShown(field, fields));
  return Object.fromEntries(shown.map(([name, field]) => [name, fields[field]]));
}

/** Undefined to leave it as it is. */
function secretBody(secret: SecretChoice): string | null | undefined {
  switch (secret.type) {
    case 'keep':
      return undefined;
    case 'clear':
      return null;
    case 'set':
      return secret.text === '' ? undefined : secret.text;
  }
}

function secretsOf(fields: AppFields): Secrets {
  const { password, privateKey, passphrase } = fields;
  const bodies = {
    password: isShown('password', fields) ? secretBody(password) : undefined,
    private_key: isShown('privateKey', fields) ? secretBody(privateKey) : undefined,
    // A passphrase without its key is of no use.
    passphrase: isShown('passphrase', fields) ? secretBody(passphrase) : passphraseWithoutKey(passphrase),
  };
  return Object.fromEntries(Object.entries(bodies).filter(([, body]) => body !== undefined));
}

function passphraseWithoutKey(passphrase: SecretChoice): null | undefined {
  return passphrase.type === 'set' ? undefined : null;
}

function portOf(fields: AppFields): number {
  return fields.port === '' ? usualPort(fields) : Number(fields.port);
}

export function toCreate(router: number, fields: AppFields): CreateBody {
  return {
    router,
    kind: fields.kind,
    name: fields.name,
    host: fields.host,
    port: portOf(fields),
    options: optionsOf(fields),
    secrets: secretsOf(fields),
    needs_second_factor: fields.needsSecondFactor,
  };
}

/** Only what the user has changed. */
export function toPatch(fields: AppFields, initial: AppFields): AppPatchBody {
  const before = new Map<string, unknown>(Object.entries(optionsOf(initial)));
  const options = Object.entries(optionsOf(fields)).filter(([name, value]) => value !== before.get(name));
  const secrets = secretsOf(fields);
  return {
    ...(fields.name !== initial.name && { name: fields.name }),
    ...(fields.host !== initial.host && { host: fields.host }),
    ...(portOf(fields) !== portOf(initial) && { port: portOf(fields) }),
    ...(options.length > 0 && { options: Object.fromEntries(options) }),
    ...(Object.keys(secrets).length > 0 && { secrets }),
    ...(fields.hostKey === null && initial.hostKey !== null && { host_key: null }),
    ...(fields.needsSecondFactor !== initial.needsSecondFactor && { needs_second_factor: fields.needsSecondFactor }),
  };
}

/** Whether the user has typed something that would be lost. */
export function isChanged(fields: AppFields, initial: AppFields): boolean {
  const ofKind = { ...initial, kind: fields.kind };
  return (
    JSON.stringify(toCreate(0, fields)) !== JSON.stringify(toCreate(0, ofKind)) || isSecretChanged(fields, initial)
  );
}

function isSecretChanged(fields: AppFields, initial: AppFields): boolean {
  return fields.hostKey !== initial.hostKey || JSON.stringify(secretsOf(fields)) !== JSON.stringify(secretsOf(initial));
}

/** Whether stored secrets would be sent elsewhere, or otherwise: the server deletes them then. */
export function hasOtherTarget(fields: AppFields, initial: AppFields): boolean {
  const hostOf = ({ host }: AppFields) => host.trim().toLowerCase();
  return hostOf(fields) !== hostOf(initial) || portOf(fields) !== portOf(initial) || fields.tls !== initial.tls;
}
