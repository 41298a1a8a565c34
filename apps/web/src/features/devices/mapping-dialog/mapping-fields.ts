import type { Mapping, MappingKind, MappingPolicy } from '@tongtu/contract';
import {
  fieldsToOptions,
  initialOptions,
  isOptionName,
  isOptionPossible,
  type MappingOptions,
  type OptionName,
  optionNames,
  possibleOptions,
} from '@tongtu/contract/mapping-options';
import { dateOfClosing, dateOfOpening } from '../../../text/devices/opening-times.ts';
import { shownHost } from '../../../address/shown-host.ts';
import { readTypedTarget } from './lan-target.ts';

export type MappingGroup = 'web' | 'port';

/** The values of the form, including hidden fields. Ports and dates are text, so that a mistake can be shown. */
export type MappingFields = MappingOptions & {
  group: MappingGroup;
  kind: MappingKind;
  host: string;
  /** The target's port; empty for the scheme's default port. */
  port: string;
  addressBy: 'prefix' | 'domain';
  prefix: string;
  customDomain: string;
  /** Empty for any free port. */
  publicPort: string;
  policy: MappingPolicy;
  /** Always empty at first; empty keeps the current password. */
  password: string;
  /** `2026-12-01`, a day in Beijing; empty for no limit. */
  opensOn: string;
  closesOn: string;
  hasHours: boolean;
  days: number[];
  /** `08:30`. As an end, `00:00` is midnight after the day. */
  from: string;
  to: string;
  remark: string;
};

const newMapping: MappingFields = {
  group: 'web',
  kind: 'http',
  host: '',
  port: '',
  addressBy: 'prefix',
  prefix: '',
  customDomain: '',
  publicPort: '',
  ...initialOptions,
  policy: 'owner',
  password: '',
  opensOn: '',
  closesOn: '',
  hasHours: false,
  days: [1, 2, 3, 4, 5, 6, 7],
  from: '08:00',
  to: '22:00',
  remark: '',
};

export function groupOf(kind: MappingKind): MappingGroup {
  return kind === 'http' || kind === 'https' ? 'web' : 'port';
}

export function initialFields(mapping: Mapping | undefined): MappingFields {
  if (!mapping) return newMapping;
  const target = readTypedTarget(mapping.target);
  const { hours } = mapping;
  return {
    ...newMapping,
    group: groupOf(mapping.kind),
    kind: mapping.kind,
    host: target?.host ?? mapping.target,
    port: String(target?.port ?? ''),
    addressBy: mapping.custom_domain === null ? 'prefix' : 'domain',
    prefix: mapping.prefix ?? '',
    customDomain: shownHost(mapping.custom_domain ?? ''),
    publicPort: String(mapping.port ?? ''),
    ...fieldsToOptions(mapping),
    policy: mapping.policy,
    opensOn: mapping.opens_at === null ? '' : dateOfOpening(mapping.opens_at),
    closesOn: mapping.closes_at === null ? '' : dateOfClosing(mapping.closes_at),
    ...(hours && { hasHours: true, days: hours.days, from: hours.from, to: hours.to.replace('24:00', '00:00') }),
    remark: mapping.remark,
  };
}

/** The options that a mapping of this kind has. The others are neither shown nor sent. */
export function choicesOf(fields: MappingFields) {
  const { kind, addressBy } = fields;
  const isWeb = groupOf(kind) === 'web';
  const isPassthrough = kind === 'https' && addressBy === 'domain' && fields.tlsPassthrough;
  const hasCustomHost = fields.hostHeader === 'custom';
  const mapping = { kind, hasCustomDomain: addressBy === 'domain', isPassthrough, hasCustomHost };
  return {
    hasOption: (name: OptionName) => isOptionPossible(name, mapping),
    options: possibleOptions(fields, mapping),
    /** The relay must be able to show the page that asks for the password. */
    password: isWeb && !isPassthrough,
    /** Visitors of this kind cannot send a cookie, so they are known by their address alone. */
    isVerifiedByAddress: !isWeb || isPassthrough,
  };
}

/** The policy of the form. One that this kind of mapping cannot have becomes the most restrictive one. */
export function policyOf(fields: MappingFields): MappingPolicy {
  return fields.policy === 'password' && !choicesOf(fields).password ? 'owner' : fields.policy;
}

/** Switching between kinds of mappings is not an input that could be lost. */
const choosingOnly = new Set<string>(['group', 'kind', 'addressBy'] satisfies (keyof MappingFields)[]);

/** Whether the user has typed something that would be lost. */
export function isChanged(fields: MappingFields, initial: MappingFields): boolean {
  const before = new Map(Object.entries(initial));
  return Object.entries(fields).some(
    ([name, value]) => !choosingOnly.has(name) && JSON.stringify(value ?? '') !== JSON.stringify(before.get(name)),
  );
}

/** The collapsed fields. A mistake in one of them expands them. */
const advancedFields = [
  ...optionNames,
  'opensOn',
  'closesOn',
  'hasHours',
  'days',
  'from',
  'to',
] as const satisfies readonly (keyof MappingFields)[];

export function isAdvanced(name: string): boolean {
  return advancedFields.some((field) => field === name);
}

/** Whether a collapsed field has another value than in a new mapping. */
export function hasAdvancedChoices(fields: MappingFields): boolean {
  return advancedFields.some((name) => JSON.stringify(fields[name]) !== JSON.stringify(newMapping[name]));
}

/** Whether the form shows this field. */
export function isShown(name: keyof MappingFields, fields: MappingFields): boolean {
  if (isOptionName(name)) return choicesOf(fields).hasOption(name);
  switch (name) {
    case 'prefix':
    case 'customDomain':
      return fields.group === 'web' && (fields.addressBy === 'prefix') === (name === 'prefix');
    case 'publicPort':
      return fields.group === 'port';
    case 'password':
      return policyOf(fields) === 'password';
    case 'days':
    case 'from':
    case 'to':
      return fields.hasHours;
    default:
      return true;
  }
}
