import type { Failure, FieldErrors } from './api-error.ts';

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function fieldsOf(value: unknown): FieldErrors {
  if (typeof value !== 'object' || value === null) return {};
  const entries = Object.entries(value).map(([field, messages]): [string, string[]] => [
    field,
    Array.isArray(messages) ? messages.filter((message) => typeof message === 'string') : [],
  ]);
  return Object.fromEntries(entries.filter(([, messages]) => messages.length > 0));
}

/** Reads seconds only, because our server sends no dates. */
function retryAfterSecondsOf(response: Response): number | undefined {
  const text = response.headers.get('retry-after') ?? '';
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

/** Reads problem details (RFC 9457). Any other body, such as a proxy's error page, is `unreadable`. */
export async function readFailure(response: Response): Promise<Failure> {
  const type = response.headers.get('content-type') ?? '';
  if (!/^application\/(problem\+)?json\b/.test(type)) return { type: 'unreadable', status: response.status };
  const body: unknown = await response.json();
  if (typeof body !== 'object' || body === null || !('code' in body)) {
    return { type: 'unreadable', status: response.status };
  }
  return {
    type: 'problem',
    status: response.status,
    code: textOf(body.code),
    detail: 'detail' in body ? textOf(body.detail) : '',
    fields: 'errors' in body ? fieldsOf(body.errors) : {},
    requestId: 'request_id' in body ? textOf(body.request_id) : '',
    retryAfterSeconds: retryAfterSecondsOf(response),
  };
}
