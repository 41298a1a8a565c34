/**
 * The options of a mapping: how its traffic is passed on to the LAN service. An option has the same value in the API,
 * the database, the relays' routes and the console's form, and each of these derives its types and its code from this
 * file. CONTRIBUTING.md lists what else a new option needs. This file imports no library, so the browser can load it.
 */
import type { FieldMessage } from '../messages/field-messages.ts';

export type MappingOptions = {
  /** https only: TLS ends at the LAN service, and the relay routes by SNI. */
  tlsPassthrough: boolean;
  /** https only: refuse a LAN service whose certificate is not valid for its name. */
  verifyTls: boolean;
  /** tcp and tlsPassthrough: the relay sends a PROXY protocol v2 header before the first byte. */
  proxyProtocol: boolean;
  hostHeader: 'keep' | 'rewrite';
  /** How many days the visitor log keeps a visit; 0: there is no log. */
  visitLogDays: 0 | 1 | 7 | 30;
};
export type OptionName = keyof MappingOptions;

/** The properties of a mapping on which its possible options depend. */
export type OptionContext = {
  kind: 'http' | 'https' | 'tcp' | 'udp';
  hasCustomDomain: boolean;
  isPassthrough: boolean;
};

/** `text` is shown in the API document. */
type OptionRule = { isMet: (mapping: OptionContext) => boolean; message: FieldMessage; text: string };

type OptionDefinition<Value> = {
  /** The option's name in the API. */
  field: string;
  /** The value of a new mapping. It is always allowed; the rules apply to other values. */
  initial: Value;
  description: string;
  rules: readonly OptionRule[];
};

export const mappingOptions = {
  tlsPassthrough: {
    field: 'tls_passthrough',
    initial: false,
    description: 'the LAN service holds the certificate; routed by SNI',
    rules: [
      {
        isMet: ({ kind }) => kind === 'https',
        message: 'passthrough.https-only',
        text: '`tls_passthrough` is for `https` alone.',
      },
      {
        isMet: ({ hasCustomDomain }) => hasCustomDomain,
        message: 'passthrough.domain-missing',
        text: '`tls_passthrough` needs a `custom_domain`.',
      },
    ],
  },
  verifyTls: {
    field: 'verify_tls',
    initial: false,
    description: 'refuse a LAN service whose certificate is not valid',
    rules: [
      {
        isMet: ({ kind, isPassthrough }) => kind === 'https' && !isPassthrough,
        message: 'verify-tls.https-only',
        text: '`verify_tls` is for `https` without `tls_passthrough`.',
      },
    ],
  },
  proxyProtocol: {
    field: 'proxy_protocol',
    initial: false,
    description: 'send the visitor’s address to the LAN service by PROXY protocol v2',
    rules: [
      {
        isMet: ({ kind, isPassthrough }) => kind === 'tcp' || isPassthrough,
        message: 'proxy-protocol.not-possible',
        text: '`proxy_protocol` is for `tcp`, and for `https` with `tls_passthrough`.',
      },
    ],
  },
  hostHeader: {
    field: 'host_header',
    initial: 'keep',
    description: 'whether the LAN service sees the public name or its own address as the Host',
    rules: [
      {
        isMet: ({ kind, isPassthrough }) => (kind === 'http' || kind === 'https') && !isPassthrough,
        message: 'host-header.web-only',
        text: 'The `host_header` `rewrite` is for `http`, and for `https` without `tls_passthrough`.',
      },
    ],
  },
  visitLogDays: {
    field: 'visit_log_days',
    initial: 0,
    description: 'how many days the visitor log keeps a visit; 0: there is no log',
    rules: [],
  },
} as const satisfies { [Name in OptionName]: OptionDefinition<MappingOptions[Name]> };

type FieldOf<Name extends OptionName> = (typeof mappingOptions)[Name]['field'];
export type OptionField = FieldOf<OptionName>;

/** A value for each option, keyed by the option's name in the API. */
export type ByField<Each extends Record<OptionName, unknown>> = { [Name in OptionName as FieldOf<Name>]: Each[Name] };

export const optionNames = Object.keys(mappingOptions) as OptionName[]; // an object literal has the keys of its type

export function isOptionName(name: string): name is OptionName {
  return Object.hasOwn(mappingOptions, name);
}

export const initialOptions = pickEach((name) => mappingOptions[name].initial) as MappingOptions; // the same names

/** Renames the fields of columns, routes and forms to those of the API. */
export function optionsToFields<Each extends Record<OptionName, unknown>>(each: Each): ByField<Each> {
  const fields: Record<string, unknown> = {};
  for (const name of optionNames) fields[mappingOptions[name].field] = each[name];
  return fields as ByField<Each>; // the names are those of the type, from the same table
}

/** The inverse of optionsToFields. An absent field is undefined. */
export function fieldsToOptions<Fields extends { [Field in OptionField]?: unknown }>(fields: Fields) {
  const options = pickEach((name) => fields[mappingOptions[name].field]);
  return options as { [Name in OptionName]: Fields[FieldOf<Name>] }; // the names are those of the type
}

/** Picks the options of an object that has more fields. */
export function pickOptions(from: MappingOptions): MappingOptions {
  return pickEach((name) => from[name]) as MappingOptions; // each value is that of its name
}

/** Whether the mapping may have a value other than the initial one. */
export function isOptionPossible(name: OptionName, mapping: OptionContext): boolean {
  return mappingOptions[name].rules.every(({ isMet }) => isMet(mapping));
}

/** The same options, with the initial value where the mapping may have no other. */
export function possibleOptions(options: MappingOptions, mapping: OptionContext): MappingOptions {
  const possible = pickEach((name) => (isOptionPossible(name, mapping) ? options : initialOptions)[name]);
  return possible as MappingOptions; // each value is that of its name
}

function pickEach(pick: (name: OptionName) => unknown): Record<string, unknown> {
  return Object.fromEntries(optionNames.map((name) => [name, pick(name)]));
}
