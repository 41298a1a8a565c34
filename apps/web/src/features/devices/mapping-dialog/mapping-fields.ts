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
import { dateOfClosing, dateOfOpening } from '../../../text/opening-times.ts';
import { shownHost } from '../../../shown-host.ts';
import { readTypedTarget } from './lan-target.ts';

export type MappingGroup = 'web' | 'port';

/** What the form holds, whatever of it shows; ports and dates as typed, so that a mistake can be shown. */
export type MappingFields = MappingOptions & {
  group: MappingGroup;
  kind: MappingKind;
  host: string;
  /** Of the target; empty for the scheme's own port. */
  port: string;
  addressBy: 'prefix' | 'domain';
  prefix: string;
  customDomain: string;
  /** Empty for any that is free. */
  publicPort: string;
  policy: MappingPolicy;
  /** Typed anew; empty keeps the one that is set. */
  password: string;
  /** `2026-12-01`: whole days in Beijing; empty for no limit. */
  opensOn: string;
  closesOn: string;
  hasHours: boolean;
  days: number[];
  /** `08:30`; `00:00` as an end is midnight after the day. */
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

/** Which choices a mapping of this kind has; those it has not are neither shown nor sent. */
export function choicesOf(fields: MappingFields) {
  const { kind, addressBy } = fields;
  const isWeb = groupOf(kind) === 'web';
  const isPassthrough = kind === 'https' && addressBy === 'domain' && fields.tlsPassthrough;
  const mapping = { kind, hasCustomDomain: addressBy === 'domain', isPassthrough };
  return {
    hasOption: (name: OptionName) => isOptionPossible(name, mapping),
    options: possibleOptions(fields, mapping),
    /** A page of ours asks for it, so there must be a browser whose traffic we see. */
    password: isWeb && !isPassthrough,
    /** No browser, so no cookie: a visitor is known by the address alone. */
    isVerifiedByAddress: !isWeb || isPassthrough,
  };
}

/** The policy that the form as it stands means: one that this kind of mapping cannot have falls back to the safe one. */
export function policyOf(fields: MappingFields): MappingPolicy {
  return fields.policy === 'password' && !choicesOf(fields).password ? 'owner' : fields.policy;
}

/** Looking around in the kinds of mappings is nothing to lose. */
const choosingOnly = new Set<string>(['group', 'kind', 'addressBy'] satisfies (keyof MappingFields)[]);

/** True when there is something to lose. */
export function isChanged(fields: MappingFields, initial: MappingFields): boolean {
  const before = new Map(Object.entries(initial));
  return Object.entries(fields).some(
    ([name, value]) => !choosingOnly.has(name) && JSON.stringify(value ?? '') !== JSON.stringify(before.get(name)),
  );
}

/** The fields that are folded away; a mistake in one of them unfolds them. */
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

/** True when something that is folded away differs from what a new mapping has. */
export function hasAdvancedChoices(fields: MappingFields): boolean {
  return advancedFields.some((name) => JSON.stringify(fields[name]) !== JSON.stringify(newMapping[name]));
}

/** Whether a person can see this field in the form as it stands. */
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
