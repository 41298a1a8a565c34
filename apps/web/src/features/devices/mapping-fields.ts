import type { Mapping, MappingKind, MappingPolicy } from '@tongtu/contract';
import { errorCode, errorText, fieldErrors } from '../../api/index.ts';
import { defaultPorts, joinTarget, readTypedTarget } from './lan-target.ts';

/** What the form holds; the target is in three parts, joined when it is sent. */
export type MappingFields = {
  prefix: string;
  kind: MappingKind;
  host: string;
  /** As typed, so that a mistake can be shown; empty for the scheme's own port. */
  port: string;
  policy: MappingPolicy;
  remark?: string;
};

export function initialFields(mapping: Mapping | undefined): Partial<MappingFields> {
  if (!mapping) return { kind: 'http', policy: 'owner', port: '' };
  const target = readTypedTarget(mapping.target);
  return {
    prefix: mapping.prefix ?? '',
    kind: mapping.kind,
    host: target?.host ?? mapping.target,
    port: String(target?.port ?? ''),
    policy: mapping.policy,
    remark: mapping.remark,
  };
}

/** True when there is something to lose; a field that was never touched is undefined. */
export function isChanged(fields: Partial<MappingFields>, initial: Partial<MappingFields>): boolean {
  const names = ['prefix', 'kind', 'host', 'port', 'policy', 'remark'] as const;
  return names.some((name) => (fields[name] ?? '') !== (initial[name] ?? ''));
}

export function toTarget({ kind, host, port }: Pick<MappingFields, 'kind' | 'host' | 'port'>): string {
  return joinTarget({ kind, host, port: port === '' ? (defaultPorts[kind] ?? 0) : Number(port) });
}

type FieldMessages = { name: keyof MappingFields; errors: string[] };

const fieldOfCode: Record<string, keyof MappingFields> = {
  'mapping.prefix-taken': 'prefix',
  'mapping.prefix-reserved': 'prefix',
  'mapping.target-not-private': 'host',
};

const fieldOfName: Record<string, keyof MappingFields> = {
  prefix: 'prefix',
  target: 'host',
  kind: 'host',
  policy: 'policy',
  remark: 'remark',
};

/** The server's refusal, put to the fields it is about; empty when it is about none. */
export function messagesByField(error: unknown): FieldMessages[] {
  const named = Object.entries(fieldErrors(error)).flatMap(([field, errors]): FieldMessages[] => {
    const name = fieldOfName[field];
    return name ? [{ name, errors }] : [];
  });
  if (named.length > 0) return named;
  const name = fieldOfCode[errorCode(error) ?? ''];
  return name ? [{ name, errors: [errorText(error)] }] : [];
}
