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
  /** Which Host the LAN service gets: the public name, its own address, or `hostName`. */
  hostHeader: 'keep' | 'rewrite' | 'custom';
  /** `name[:port]`; empty unless `hostHeader` is `custom`. */
  hostName: string;
  /** How much the forwarded fields say of the visitor. */
  visitorFields: 'send' | 'omit_address' | 'omit';
  /** The scheme that the LAN service learns. `follow_host`: that of the address which its Host names. */
  forwardedProto: 'follow_host' | 'http' | 'https';
  /** Origin and Referer. `rewrite`: the LAN service's own address. */
  originFields: 'follow_host' | 'keep' | 'rewrite';
  /** https only: the name for the TLS handshake, by which `verifyTls` judges too. Empty: the target's, or the Host's. */
  tlsName: string;
  /** How long the LAN service may take to begin its answer. */
  answerTimeoutS: number;
  /** How long an answer that has begun, or a request, may be silent. */
  silenceTimeoutS: number;
  /** How many days the visitor log keeps a visit; 0: there is no log. */
  visitLogDays: 0 | 1 | 7 | 30;
};
export type OptionName = keyof MappingOptions;

/** The properties of a mapping on which its possible options depend. */
export type OptionContext = {
  kind: 'http' | 'https' | 'tcp' | 'udp';
  hasCustomDomain: boolean;
  isPassthrough: boolean;
  hasCustomHost: boolean;
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

/** For options of what the relay reads and writes of HTTP. */
const webOnly: OptionRule = {
  isMet: ({ kind, isPassthrough }) => (kind === 'http' || kind === 'https') && !isPassthrough,
  message: 'option.web-only',
  text: '`host_header`, `visitor_fields`, `forwarded_proto`, `origin_fields`, `answer_timeout_s` and `silence_timeout_s` are for `http`, and for `https` without `tls_passthrough`.',
};

export const timeoutRangesS = {
  answerTimeoutS: { min: 10, max: 3_600 },
  silenceTimeoutS: { min: 30, max: 86_400 },
} as const;

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
    description: 'the Host that the LAN service gets: the public name, its own address, or `host_name`',
    rules: [webOnly],
  },
  hostName: {
    field: 'host_name',
    initial: '',
    description: '`name[:port]` for the `host_header` `custom`',
    rules: [
      {
        isMet: ({ hasCustomHost }) => hasCustomHost,
        message: 'host-name.not-custom',
        text: '`host_name` is for the `host_header` `custom`.',
      },
    ],
  },
  visitorFields: {
    field: 'visitor_fields',
    initial: 'send',
    description:
      '`Forwarded`, `X-Forwarded-*` and `X-Real-IP`: all of them, without the visitor’s address, or none; what the visitor sends by these names never reaches the LAN service',
    rules: [webOnly],
  },
  forwardedProto: {
    field: 'forwarded_proto',
    initial: 'follow_host',
    description:
      'the scheme that the LAN service learns; `follow_host`: with the public Host that of the visitor, with another one, or without forwarded fields, that of the target',
    rules: [webOnly],
  },
  originFields: {
    field: 'origin_fields',
    initial: 'follow_host',
    description:
      '`Origin` and `Referer` of the mapping’s own pages: as scheme and Host say, as the visitor sends them, or with the LAN service’s own address',
    rules: [webOnly],
  },
  tlsName: {
    field: 'tls_name',
    initial: '',
    description:
      'the name for the TLS handshake (SNI), by which `verify_tls` judges the certificate; empty: the target’s name, for an address the name in the Host',
    rules: [
      {
        isMet: ({ kind, isPassthrough }) => kind === 'https' && !isPassthrough,
        message: 'tls-name.https-only',
        text: '`tls_name` is for `https` without `tls_passthrough`.',
      },
    ],
  },
  answerTimeoutS: {
    field: 'answer_timeout_s',
    initial: 60,
    description: 'how many seconds the LAN service may take to begin its answer',
    rules: [webOnly],
  },
  silenceTimeoutS: {
    field: 'silence_timeout_s',
    initial: 3_600,
    description: 'how many seconds the service may be silent in an answer, or not read a request',
    rules: [webOnly],
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
