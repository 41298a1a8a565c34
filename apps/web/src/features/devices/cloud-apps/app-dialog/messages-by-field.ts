import { errorCode, errorText, fieldErrors } from '../../../../api/index.ts';
import type { AppFields } from './app-fields.ts';

type FieldName = keyof AppFields;

const fieldOfName: Record<string, FieldName> = {
  name: 'name',
  host: 'host',
  port: 'port',
  'options.username': 'username',
  'options.domain': 'domain',
  'options.path': 'path',
  'options.mac': 'mac',
  'secrets.password': 'password',
  'secrets.private_key': 'privateKey',
  'secrets.passphrase': 'passphrase',
};

const targetCodes = new Set(['mapping.target-not-private', 'mapping.target-credentials']);

/** The server's messages by field of the form; empty when the error is not about a field. */
export function messagesByField(error: unknown): { name: FieldName; errors: string[] }[] {
  const named = Object.entries(fieldErrors(error)).flatMap(([field, errors]) => {
    const name = fieldOfName[field];
    return name ? [{ name, errors }] : [];
  });
  if (named.length > 0) return named;
  return targetCodes.has(errorCode(error) ?? '') ? [{ name: 'host', errors: [errorText(error)] }] : [];
}
