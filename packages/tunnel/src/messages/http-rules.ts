import { z } from 'zod';

/** As many as a device has mappings: each proxy of a frpc.toml may serve a part of the same one. */
const MAX_HTTP_TARGETS = 500;
export const MAX_PATH_PREFIXES = 64;
export const MAX_PATH_PREFIX = 512;
/** Of a field's name and value, and of how many fields one target sets. */
export const MAX_SET_FIELD_NAME = 128;
export const MAX_SET_FIELD_VALUE = 1_024;
export const MAX_SET_FIELDS = 32;

const LoginText = z.string().max(1_024);
const SetField = z.tuple([z.string().min(1).max(MAX_SET_FIELD_NAME), z.string().max(MAX_SET_FIELD_VALUE)]);

/** One of several targets behind a mapping for HTTP, and what its requests and answers need. All text is latin1. */
export const HttpTarget = z.object({
  key: z.string().min(1).max(64).describe('names it in open requests, as their host'),
  isForHttps: z.boolean().optional().describe('all visitors by https are served by it, and no others'),
  pathPrefixes: z
    .array(z.string().max(MAX_PATH_PREFIX))
    .min(1)
    .max(MAX_PATH_PREFIXES)
    .describe('of the decoded path; an empty one fits every path'),
  user: LoginText.describe('of HTTP basic authentication; empty: every one'),
  login: z.object({ user: LoginText, password: LoginText }).optional(),
  hostField: z.string().max(512).describe('the Host that the service gets; empty: that of the visitor'),
  requestFields: z.array(SetField).max(MAX_SET_FIELDS),
  responseFields: z.array(SetField).max(MAX_SET_FIELDS),
});
export type HttpTarget = z.infer<typeof HttpTarget>;

/** How the requests of one mapping are served where its route alone does not say it. A request that fits no target gets no answer. */
export const HttpRules = z.object({ targets: z.array(HttpTarget).min(1).max(MAX_HTTP_TARGETS) });
export type HttpRules = z.infer<typeof HttpRules>;
