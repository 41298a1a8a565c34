/** Trial visits between server and relay: what a visitor of a mapping gets, without its gate. */
import { z } from 'zod';
import { optionSchemas } from './mappings/mappings.ts';

/** The page itself, and how often it may lead on: as often as a login page needs. */
export const MAX_TRIAL_ANSWERS = 6;
export const MAX_TRIAL_TEXT_LENGTH = 2_000;
export const MAX_TRIAL_COOKIES = 20;
export const MAX_TRIAL_ORIGINS = 10;

const TrialText = z.string().max(MAX_TRIAL_TEXT_LENGTH);

/** What takes the place of the mapping's own settings. */
export const TrialSettings = z
  .object({
    kind: z.enum(['http', 'https', 'tcp']),
    hostHeader: optionSchemas.hostHeader,
    hostName: optionSchemas.hostName,
    visitorFields: optionSchemas.visitorFields,
    forwardedProto: optionSchemas.forwardedProto,
    originFields: optionSchemas.originFields,
    tlsName: optionSchemas.tlsName,
    verifyTls: optionSchemas.verifyTls,
    proxyProtocol: optionSchemas.proxyProtocol,
  })
  .partial();
export type TrialSettings = z.infer<typeof TrialSettings>;

export const TrialVisit = z.object({
  mappingId: z.number().int().positive(),
  /** The address that the visitor’s browser shows. */
  scheme: z.enum(['http', 'https']),
  authority: z.string().max(300),
  /** The visitor’s. */
  address: z.string().max(64),
  settings: TrialSettings,
  /** Where a script and a WebSocket are tried; absent: at the page. */
  scriptPath: TrialText.optional(),
  socketPath: TrialText.optional(),
  /** Only whether a page opens is asked: of one that is refused no script, WebSocket or form is tried. */
  isSearch: z.boolean().optional(),
});
export type TrialVisit = z.infer<typeof TrialVisit>;

/** One answer of the service, as the visitor gets it. */
export const TrialAnswer = z.object({
  target: TrialText.describe('path and query of the request'),
  status: z.number().int(),
  location: TrialText.nullable().describe('where a browser goes next: by a redirect, or by the refresh of a page'),
  authenticate: TrialText.nullable().describe('WWW-Authenticate'),
  server: TrialText.nullable(),
  title: TrialText.nullable().describe('of the page; without one the beginning of a text'),
  cookies: z
    .array(z.object({ name: TrialText, isSecure: z.boolean() }))
    .max(MAX_TRIAL_COOKIES)
    .default([])
    .describe('which cookies it sets, without their values'),
  isCut: z.boolean().default(false).describe('the service ended its connection before the end that it had announced'),
  generator: TrialText.nullable().default(null).describe('the program that says that it has made the page'),
  isBlank: z.boolean().default(false).describe('a page without a single byte'),
  origins: z
    .array(TrialText)
    .max(MAX_TRIAL_ORIGINS)
    .default([])
    .describe('other origins of the page’s scripts, styles, frames and forms'),
});
export type TrialAnswer = z.infer<typeof TrialAnswer>;

export const TrialResult = z.object({
  answers: z.array(TrialAnswer).max(MAX_TRIAL_ANSWERS).describe('each led to the next one'),
  failure: z.string().max(64).nullable().describe('why no answer followed: the name of the page that a visitor sees'),
  script: z.number().int().nullable().describe('the status for a script of the last page; null: not tried, or none'),
  socket: z.number().int().nullable().describe('the status for a WebSocket of the last page; null: not tried, or none'),
  form: z
    .object({
      status: z.number().int(),
      digest: z
        .string()
        .max(64)
        .nullable()
        .describe('of the answer to a form that has no token; null: of no such form'),
    })
    .nullish()
    .describe('the answer to a POST that changes nothing; null or absent: not tried, or none'),
  greeting: z
    .string()
    .max(MAX_TRIAL_TEXT_LENGTH)
    .nullable()
    .describe('latin1: the first bytes of a service that is no web service'),
});
export type TrialResult = z.infer<typeof TrialResult>;
