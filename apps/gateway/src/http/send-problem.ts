import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import { errorCatalogue, type ErrorCode, type LocalizedText, type Problem } from '@tongtu/contract';
import Negotiator from 'negotiator';

/** A failure as it is reported, with further members of its problem details. */
export type Failure<More = unknown> = LocalizedText & { code: string; status: number } & More;

export function failureFor(code: ErrorCode): Failure {
  return { code, ...errorCatalogue[code] };
}

/** Answers with problem details (RFC 9457). When an answer has begun already, it is cut. */
export function sendProblem(failure: Failure, request: IncomingMessage, response: ServerResponse): void {
  if (response.headersSent) return void response.destroy();
  response.setHeader('vary', 'Accept-Language');
  const problem = problemOf(failure, request.headers['accept-language']);
  sendJson(response, failure.status, problem, 'application/problem+json');
  // What is left of the body is not read: it may be long.
  if (!request.complete && failure.code !== 'request.invalid') response.once('finish', () => request.destroy());
}

/** The problem details in the client's language. */
export function problemOf<More>(failure: Failure<More>, acceptLanguage: string | undefined) {
  const { zh, en, code, status, ...more } = failure;
  return {
    type: `urn:tongtu:error:${code}`,
    title: STATUS_CODES[status] ?? 'Error',
    status,
    detail: detailIn({ zh, en }, acceptLanguage),
    code,
    ...more,
    request_id: randomUUID(),
  } satisfies Problem;
}

/** The text in the language that the client asks for (RFC 9110 §12.5.4), Chinese by default, as the server answers. */
export function detailIn(text: LocalizedText, acceptLanguage: string | undefined): string {
  const asked = new Negotiator({ headers: { 'accept-language': acceptLanguage } }).language(['zh', 'en']);
  return asked === 'en' ? text.en : text.zh;
}

export function sendJson(response: ServerResponse, status: number, body: unknown, type = 'application/json'): void {
  const bytes = Buffer.from(JSON.stringify(body));
  response.writeHead(status, {
    'content-type': `${type}; charset=utf-8`,
    'content-length': bytes.length,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  response.end(bytes);
}
