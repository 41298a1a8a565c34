import { Readable } from 'node:stream';
import {
  AppError,
  callLimits,
  endpoints,
  findCallLimit,
  type Endpoint,
  type EndpointKey,
  type ErrorCode,
  type LoginByLimit,
} from '@tongtu/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import type { z } from 'zod';
// Imported for its declarations, which extend Fastify's types.
import type {} from './limits/call-limits.ts';
import { authorize, type CallGuard, type LoginRule } from './authorize.ts';
import { parseRequest } from './field-errors.ts';
import { checkFieldScopes } from './field-scopes.ts';
import type { HttpCall, Session } from './session.ts';

/** Callers whose call was there as a whole when they were found, so that their session cannot end while it is received. */
const admitted = new WeakMap<FastifyRequest, Session>();

type Parsed<Key extends EndpointKey, Name extends string> =
  (typeof endpoints)[Key] extends Record<Name, infer Schema extends z.ZodType> ? z.output<Schema> : undefined;
type ReplyBody<Key extends EndpointKey> = z.input<(typeof endpoints)[Key]['response']>;

export type CallContext<Key extends EndpointKey, Login extends LoginRule = LoginRule> = {
  params: Parsed<Key, 'params'>;
  query: Parsed<Key, 'query'>;
  body: Parsed<Key, 'body'>;
  req: FastifyRequest;
  reply: FastifyReply;
  session: Login extends 'required' ? Session : Session | undefined;
};

export type MountOptions<Login extends LoginRule> = { login: Login };

declare module 'fastify' {
  interface FastifyInstance {
    callGuard: CallGuard;
  }
}

/**
 * Serves one call of the contract. Before the handler it checks, in this order: same origin, limit of the network, session,
 * CSRF, shown account, confirmation, limit of the account, schemas. The response schema parses the handler's answer and
 * removes fields that the contract does not have. If the call needs a login and has a line in `callLimits`, all but the
 * schemas is checked before the body is read.
 */
export function mount<Key extends EndpointKey, Login extends LoginByLimit<Key>>(
  app: FastifyInstance,
  key: Key,
  options: MountOptions<Login>,
  handler: (call: CallContext<Key, Login>) => Promise<ReplyBody<Key>>,
): void {
  const endpoint: Endpoint = endpoints[key];
  route<Key, Login>(app, { key, endpoint, options }, async (call) => {
    const body = endpoint.response.parse(await handler(call));
    call.reply.type('application/json; charset=utf-8');
    // Node writes bytes to a socket in half the time of a large text with Chinese in it.
    return Buffer.from(JSON.stringify(body));
  });
}

type CsvKey = { [Key in EndpointKey]: (typeof endpoints)[Key] extends { csv: true } ? Key : never }[EndpointKey];

/** Serves a call like `mount`, whose reply is a CSV file. What fails before the handler returns is answered as a problem. */
export function mountCsv<Key extends CsvKey, Login extends LoginByLimit<Key>>(
  app: FastifyInstance,
  key: Key,
  options: MountOptions<Login>,
  handler: (call: CallContext<Key, Login>) => Promise<{ filename: string; lines: AsyncIterable<string> }>,
): void {
  route<Key, Login>(app, { key, endpoint: endpoints[key], options }, async (call) => {
    const { filename, lines } = await handler(call);
    call.reply.header('content-type', 'text/csv; charset=utf-8');
    call.reply.header('content-disposition', `attachment; filename="${filename}"`);
    return Readable.from(lines);
  });
}

type Call<Key extends EndpointKey, Login extends LoginRule> = {
  key: Key;
  endpoint: Endpoint;
  options: MountOptions<Login>;
};

function route<Key extends EndpointKey, Login extends LoginRule>(
  app: FastifyInstance,
  { key, endpoint, options }: Call<Key, Login>,
  answer: (call: CallContext<Key, Login>) => Promise<unknown>,
): void {
  const [method, path] = key.split(' ') as [HTTPMethods, string]; // the table's keys are "METHOD /path/"
  const limit = findCallLimit(key);
  const isGuarded = options.login === 'required' && key in callLimits;
  app.route({
    method,
    url: path.replaceAll(/\{(\w+)\}/g, ':$1'),
    config: { ...(limit && { limit }) },
    ...(isGuarded && { onRequest: async (req, reply) => await admit(app, endpoint, { req, reply }) }),
    handler: async (req, reply) => {
      // Checked again if the body came later: the session may have ended meanwhile.
      const session = admitted.get(req) ?? (await authorize(app.callGuard, endpoint, options.login, { req, reply }));
      if (endpoint.billing && app.callGuard.billing === 'off') throw new AppError('billing.off');
      const input = {
        params: endpoint.params && parseRequest(endpoint.params, req.params, notFoundCode(endpoint)),
        query: endpoint.query && parseRequest(endpoint.query, req.query),
        body: endpoint.body && parseRequest(endpoint.body, req.body),
      };
      if (session?.scopes !== undefined) checkFieldScopes(endpoint, session.scopes, input.body);
      // The schemas that parsed the input also define its type.
      const payload = await answer({ ...input, req, reply, session } as CallContext<Key, Login>);
      reply.header('cache-control', 'no-store');
      return reply.code(endpoint.status ?? 200).send(payload);
    },
  });
}

/** Authorizes the call before its body is read, and counts it for the account, or for the network if it has no login. */
async function admit(app: FastifyInstance, endpoint: Endpoint, { req, reply }: HttpCall): Promise<void> {
  const { limit } = req.routeOptions.config;
  try {
    const session = await authorize(app.callGuard, endpoint, 'required', { req, reply });
    if (req.raw.complete) admitted.set(req, session);
    // Only authorized calls count against the account's limit.
    if (limit?.per === 'account') await app.countCall(req, limit, String(session.userId));
  } catch (error) {
    if (isAnonymous(error)) await app.countAnonymous(req);
    throw error;
  }
}

function isAnonymous(error: unknown): boolean {
  return error instanceof AppError && (error.code === 'session.required' || error.code === 'api-token.invalid');
}

/** A malformed id is answered like an unknown one. */
export function notFoundCode(endpoint: Pick<Endpoint, 'errors'>): ErrorCode {
  return endpoint.errors.find((code) => /[.-]not-found$/.test(code)) ?? 'request.not-found';
}
