import { mappingOptions, optionNames } from '@tongtu/contract/mapping-options';
import { errorCode, errorText, fieldErrors } from '../../../api/index.ts';
import { isProof } from '../own-domain/domain-proof.ts';
import type { MappingFields } from './mapping-fields.ts';

type FieldName = keyof MappingFields;
export type FieldMessages = { name: FieldName; errors: string[] };

const fieldOfCode: Record<string, FieldName> = {
  'mapping.prefix-taken': 'prefix',
  'mapping.prefixes-used-up': 'prefix',
  'mapping.prefix-reserved': 'prefix',
  'mapping.domain-taken': 'customDomain',
  'mapping.domains-waiting': 'customDomain',
  'mapping.domain-reserved': 'customDomain',
  'mapping.port-taken': 'publicPort',
  'mapping.port-out-of-range': 'publicPort',
  'mapping.ports-exhausted': 'publicPort',
  'mapping.kind-fixed': 'host',
  'mapping.target-not-private': 'host',
  'mapping.target-credentials': 'host',
  'mapping.frpc-no-udp': 'host',
};

const fieldOfName: Record<string, FieldName> = {
  prefix: 'prefix',
  custom_domain: 'customDomain',
  port: 'publicPort',
  target: 'host',
  kind: 'host',
  ...Object.fromEntries(optionNames.map((name) => [mappingOptions[name].field, name])),
  policy: 'policy',
  password: 'password',
  opens_at: 'opensOn',
  closes_at: 'closesOn',
  hours: 'days',
  'hours.days': 'days',
  'hours.from': 'from',
  'hours.to': 'to',
  remark: 'remark',
};

/** The server's messages by form field; empty when the error is not about a field. */
export function messagesByField(error: unknown): FieldMessages[] {
  const named = Object.entries(fieldErrors(error)).flatMap(([field, errors]): FieldMessages[] => {
    const name = fieldOfName[field];
    return name ? [{ name, errors: errors.filter((message) => !isProof(message)) }] : [];
  });
  if (named.length > 0) return named;
  const name = fieldOfCode[errorCode(error) ?? ''];
  return name ? [{ name, errors: [errorText(error)] }] : [];
}
