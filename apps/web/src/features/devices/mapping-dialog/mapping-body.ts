import type { Mapping, MappingCreate, MappingPatch } from '@tongtu/contract';
import { optionsToFields } from '@tongtu/contract/mapping-options';
import { changedFields } from '../../../api/index.ts';
import { defaultPorts, joinTarget } from './lan-target.ts';
import { choicesOf, type MappingFields, policyOf } from './mapping-fields.ts';
import { closingOf, openingOf } from '../../../text/devices/opening-times.ts';
import { readTypedDomain } from './public-name.ts';

type MappingBody = Omit<Required<MappingCreate>, 'router' | 'password'> & Pick<MappingCreate, 'password'>;

/**
 * The complete mapping of the form. Fields that its kind does not have get their initial value, whatever was typed
 * before.
 */
function bodyOf(fields: MappingFields): MappingBody {
  const { group, kind, addressBy } = fields;
  const policy = policyOf(fields);
  return {
    kind,
    target: targetOf(fields),
    prefix: group === 'web' && addressBy === 'prefix' ? fields.prefix : null,
    custom_domain: group === 'web' && addressBy === 'domain' ? readTypedDomain(fields.customDomain) : null,
    port: group === 'port' && fields.publicPort !== '' ? Number(fields.publicPort) : null,
    ...optionsToFields(choicesOf(fields).options),
    policy,
    ...(policy === 'password' && fields.password !== '' ? { password: fields.password } : {}),
    opens_at: fields.opensOn === '' ? null : openingOf(fields.opensOn),
    closes_at: fields.closesOn === '' ? null : closingOf(fields.closesOn),
    hours: hoursOf(fields),
    remark: fields.remark,
  };
}

function targetOf({ kind, host, port }: MappingFields): string {
  // The form requires a port for kinds without a default port.
  return joinTarget({ kind, host, port: port === '' ? (defaultPorts[kind] ?? 0) : Number(port) });
}

function hoursOf({ hasHours, days, from, to }: MappingFields): Mapping['hours'] {
  if (!hasHours) return null;
  return { days: days.toSorted((a, b) => a - b), from, to: to === '00:00' ? '24:00' : to };
}

export function toCreate(router: number, fields: MappingFields): MappingCreate {
  return { router, ...bodyOf(fields) };
}

/** Null in one of these is not sent, because the server clears it when another one is set. */
const takesPlace = new Set(['prefix', 'custom_domain', 'port']);

/** Only the fields that the user has changed. So an opening time that is not at midnight keeps its hour. */
export function toPatch(fields: MappingFields, initial: MappingFields): MappingPatch {
  const changed = Object.entries(changedFields(bodyOf(fields), bodyOf(initial)));
  return Object.fromEntries(changed.filter(([name, value]) => !(value === null && takesPlace.has(name))));
}
