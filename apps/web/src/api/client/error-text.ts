import { errorCatalogue, isErrorCode } from '@tongtu/contract/errors';
import { failureText } from '../../text/failure.ts';
import { ApiError, type Failure } from './api-error.ts';

type Refusal = Extract<Failure, { type: 'problem' }>;

function refusalText(refusal: Refusal): string {
  const { code, retryAfterSeconds, requestId } = refusal;
  if (code === 'login.locked' && retryAfterSeconds !== undefined) {
    return failureText.locked(Math.max(1, Math.ceil(retryAfterSeconds / 60)));
  }
  if (code === 'request.too-many' && retryAfterSeconds !== undefined) {
    return failureText.tooMany(Math.max(1, retryAfterSeconds));
  }
  // The server is asked for Chinese, and its text may have facts that the catalogue cannot have, such as an amount.
  const known = isErrorCode(code) ? errorCatalogue[code].zh : failureText.status(refusal.status);
  const sentence = refusal.detail || known;
  return code === 'server.internal' && requestId !== '' ? failureText.withRequestId(sentence, requestId) : sentence;
}

/** Turns a failure into a sentence for users. Nothing else does. */
export function errorText(error: unknown): string {
  if (!(error instanceof ApiError)) return failureText.unexpected;
  const { failure } = error;
  switch (failure.type) {
    case 'problem':
      return refusalText(failure);
    case 'network':
      return failureText.network;
    case 'not-loaded':
      return failureText.notLoaded;
    case 'timeout':
      return failureText.timeout;
    case 'cancelled':
      return failureText.cancelled;
    case 'unreadable':
      return failureText.status(failure.status);
  }
}
