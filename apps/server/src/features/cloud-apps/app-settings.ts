import {
  type AppField,
  AppError,
  appKinds,
  type CloudAppKind,
  type CloudAppOptions,
  type CloudAppPatch,
  type CloudAppSecrets,
  errorCatalogue,
  type FieldErrors,
  fieldMessages,
  hasAppField,
  initialAppOptions,
} from '@tongtu/contract';

type Given = Pick<CloudAppPatch, 'options' | 'secrets' | 'wake_times'>;
type OptionName = keyof CloudAppOptions;

const optionNames = Object.keys(initialAppOptions) as OptionName[]; // the keys of the object
const secretFields: Record<keyof CloudAppSecrets, AppField> = {
  password: 'password',
  private_key: 'private_key',
  passphrase: 'private_key', // a passphrase belongs to its key
};

/** Throws cloud-app.option-not-possible, at its field, for what the kind does not have. */
export function assertFitsKind(kind: CloudAppKind, { options = {}, secrets = {}, wake_times = [] }: Given): void {
  const wrong = [
    ...optionNames
      .filter((name) => !hasAppField(kind, name))
      .filter((name) => options[name] !== undefined && options[name] !== initialAppOptions[name])
      .map((name) => `options.${name}`),
    ...(Object.keys(secretFields) as (keyof CloudAppSecrets)[]) // the keys of the object
      .filter((name) => typeof secrets[name] === 'string' && !hasAppField(kind, secretFields[name]))
      .map((name) => `secrets.${name}`),
    ...(wake_times.length > 0 && kind !== 'wol' ? ['wake_times'] : []),
  ];
  if (wrong.length === 0) return;
  const fields: FieldErrors = {};
  for (const name of wrong) fields[name] = [errorCatalogue['cloud-app.option-not-possible']];
  throw new AppError('cloud-app.option-not-possible', { fields });
}

/** The options after a change of those that are given. */
export function changeOptions(before: CloudAppOptions, given: CloudAppPatch['options'] = {}): CloudAppOptions {
  const { username = before.username, domain = before.domain, path = before.path } = given;
  const { encoding = before.encoding, tls = before.tls, mac = before.mac } = given;
  const { name_encoding = before.name_encoding, old_algorithms = before.old_algorithms } = given;
  return { username, domain, path, encoding, name_encoding, tls, mac, old_algorithms };
}

/** Throws request.invalid, at its field, for an app that could do nothing without the MAC address. */
export function assertHasMac(kind: CloudAppKind, { mac }: Pick<CloudAppOptions, 'mac'>): void {
  if (kind === 'wol' && mac === '')
    throw new AppError('request.invalid', { fields: { 'options.mac': [fieldMessages['mac.missing']] } });
}

export function defaultPortOf(kind: CloudAppKind): number {
  return appKinds[kind].defaultPort;
}
