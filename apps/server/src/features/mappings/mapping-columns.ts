import {
  fieldsToOptions,
  type Mapping,
  type MappingCreate,
  type MappingPatch,
  optionsToFields,
} from '@tongtu/contract';
import type { z } from 'zod';
import { formatHours, hoursColumns } from './mapping-hours.ts';
import type { MappingRow, MappingValues } from './mapping-store.ts';
import { formatTarget, readPrivateTarget } from './private-target.ts';

export type CreateMappingInput = Omit<z.output<typeof MappingCreate>, 'router'>;
/** The columns that a caller sets, except the password, whose hash is computed after the authorization. */
type SettableColumns = Omit<MappingValues, 'passwordHash'> & Pick<MappingRow, 'enabled' | 'pinned'>;

/**
 * Converts a caller's fields to columns: all of a new mapping, or those given in a change.
 * A target sets the kind. A prefix replaces a custom domain, and the other way round.
 * Throws the errors of readPrivateTarget.
 */
export function settableColumns(input: CreateMappingInput): Omit<SettableColumns, 'enabled' | 'pinned'>;
export function settableColumns(input: MappingPatch): Partial<SettableColumns>;
export function settableColumns(input: CreateMappingInput | MappingPatch): Partial<SettableColumns> {
  const { prefix, custom_domain: customDomain, hours } = input;
  const target = input.target === undefined ? undefined : readPrivateTarget(input.target);
  const columns = {
    kind: target?.protocol ?? input.kind,
    targetHost: target?.host,
    targetPort: target?.port,
    prefix: customDomain === undefined ? prefix : (prefix ?? null),
    customDomain: prefix === undefined ? customDomain : (customDomain ?? null),
    port: input.port,
    ...fieldsToOptions(input),
    policy: input.policy,
    opensAt: toDate(input.opens_at),
    closesAt: toDate(input.closes_at),
    ...(hours !== undefined && hoursColumns(hours)),
    remark: input.remark,
    enabled: 'enabled' in input ? input.enabled : undefined,
    pinned: 'pinned' in input ? input.pinned : undefined,
  };
  // Removed because Kysely's types do not allow undefined, although it writes no column for it.
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined));
}

/** The inverse of settableColumns: the settable fields as the API returns them. */
export function settableFields(row: SettableColumns): Pick<Mapping, Exclude<keyof MappingPatch, 'password'>> {
  return {
    ...optionsToFields(row),
    kind: row.kind,
    prefix: row.prefix,
    custom_domain: row.customDomain,
    port: row.port,
    target: formatTarget(row),
    policy: row.policy,
    opens_at: row.opensAt?.toISOString() ?? null,
    closes_at: row.closesAt?.toISOString() ?? null,
    hours: formatHours(row),
    remark: row.remark,
    enabled: row.enabled,
    pinned: row.pinned,
  };
}

/** Converts a time of the API to that of a column. */
function toDate<Absent extends null | undefined>(text: string | Absent): Date | Absent {
  return typeof text === 'string' ? new Date(text) : text;
}
