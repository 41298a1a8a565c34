import { STATUS_CODES } from 'node:http';
import {
  AppError,
  errorCatalogue,
  type ErrorCode,
  type FieldErrors,
  type Language,
  type Problem,
} from '@tongtu/contract';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { languageTags, replyLanguage } from './reply-language.ts';

// Fastify's own errors, as codes of the catalogue.
const frameworkCodes: Record<string, ErrorCode> = {
  FST_ERR_CTP_INVALID_JSON_BODY: 'request.malformed',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'request.malformed',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'request.malformed',
  FST_ERR_BAD_URL: 'request.malformed',
  FST_ERR_MAX_PARAM_LENGTH: 'request.not-found', // no id or name is that long
  FST_ERR_CTP_BODY_TOO_LARGE: 'request.too-large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'request.unsupported-type',
};

/** Answers every failure with problem details (RFC 9457). Unexpected failures are logged here, once. */
export function useProblemDetails(app: FastifyInstance): void {
  app.setErrorHandler(sendFailure);
}

/** Also called for errors of the router, which occur before any route or hook runs. */
export function sendFailure(error: unknown, req: FastifyRequest, reply: FastifyReply): FastifyReply {
  const failure = toAppError(error);
  const { status } = errorCatalogue[failure.code];
  if (failure.code === 'server.internal') req.log.error({ err: error }, 'request failed');
  else if (status >= 500)
    req.log.warn({ err: failure.cause ?? failure, code: failure.code }, 'request could not be served');
  // Otherwise Fastify closes the connection while the body is unread, and the TCP reset overtakes this answer.
  if (failure.code === 'request.too-large') reply.removeHeader('connection');
  return sendProblem(failure, req, reply);
}

export function sendProblem(failure: AppError, req: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { status, ...texts } = errorCatalogue[failure.code];
  const language = replyLanguage(req);
  const problem: Problem = {
    type: `urn:tongtu:error:${failure.code}`,
    title: STATUS_CODES[status] ?? 'Error',
    status,
    detail: (failure.detail ?? texts)[language],
    code: failure.code,
    ...(failure.fields && { errors: fieldSentences(failure.fields, language) }),
    request_id: req.id,
  };
  // RFC 6750 §3.1. Only for calls with a token: a browser would open a password dialog.
  if (failure.code === 'api-token.invalid') reply.header('www-authenticate', 'Bearer error="invalid_token"');
  if (failure.retryAfterSeconds !== undefined) reply.header('retry-after', failure.retryAfterSeconds);
  return reply
    .code(status)
    .header('cache-control', 'no-store')
    .header('content-language', languageTags[language])
    .header('vary', 'Accept-Language')
    .type('application/problem+json; charset=utf-8')
    .serializer((payload: unknown) => JSON.stringify(payload)) // not the schema of a successful reply
    .send(problem);
}

function fieldSentences(fields: FieldErrors, language: Language): Problem['errors'] {
  return Object.fromEntries(
    Object.entries(fields).map(([field, texts]) => [field, texts.map((text) => text[language])]),
  );
}

function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const { code, statusCode } = error as Partial<FastifyError>; // only read and compared
  const known = frameworkCodes[code ?? ''];
  if (known) return new AppError(known, { cause: error });
  const isClientError = statusCode !== undefined && statusCode >= 400 && statusCode < 500;
  return new AppError(isClientError ? 'request.malformed' : 'server.internal', { cause: error });
}
