import { z } from 'zod';
import { optionSchemas } from '../mappings/mappings.ts';
import { GivenId } from '../shared.ts';

export const ConnectionCheckRequest = z.strictObject({ record: GivenId });

/** The steps that a visitor's request takes, in order. A failed check names the step that failed. */
export const ConnectionStep = z.enum(['dns', 'relay', 'agent', 'dns_lan', 'tcp', 'udp', 'tls', 'http', 'visit']);
export type ConnectionStep = z.infer<typeof ConnectionStep>;

/** A combination of a mapping’s settings that was tried and works: what to send in a PATCH. */
export const MappingFix = z
  .object({
    target: z.string(),
    host_header: optionSchemas.hostHeader,
    host_name: optionSchemas.hostName,
    visitor_fields: optionSchemas.visitorFields,
    forwarded_proto: optionSchemas.forwardedProto,
    origin_fields: optionSchemas.originFields,
    verify_tls: optionSchemas.verifyTls,
    tls_name: optionSchemas.tlsName,
    proxy_protocol: optionSchemas.proxyProtocol,
  })
  .partial();
export type MappingFix = z.infer<typeof MappingFix>;

const SeenPage = z.object({
  url: z.string().describe('where the visit ended'),
  text: z.string().describe('Chinese: what was there'),
});

/** What the service gives a visitor, and what it gives the device. */
export const VisitCheck = z.object({
  visitor: SeenPage,
  direct: SeenPage.nullable().describe('null: only frpc knows the address of the service'),
  fix: MappingFix.nullable().describe(
    'settings with which a visitor gets the same as the device; null: none is needed or known',
  ),
  advice: z.string().nullable().describe('Chinese: what to set in the service itself'),
});
export type VisitCheck = z.infer<typeof VisitCheck>;

export const ConnectionCheck = z.object({
  ok: z.boolean(),
  step: ConnectionStep.describe('the last step reached; when not ok, the one that failed'),
  ms: z.number().int().nonnegative(),
  hint: z.string().describe('Chinese: what was seen and what to do'),
  warning: z
    .string()
    .nullable()
    .describe('Chinese: why some visitors fail although the check succeeds, and what to do'),
  visit: VisitCheck.nullable().describe('of a web service that was reached'),
});
export type ConnectionCheck = z.infer<typeof ConnectionCheck>;
