import { ApiError } from '../../api/client/api-error.ts';
import { errorText } from '../../api/client/error-text.ts';
import { passkeyText } from '../../text/login/passkey.ts';

/** Why a passkey failed: the server's reason, or the browser's by its error name (WebAuthn Level 3). */
export function passkeyErrorText(error: unknown): string {
  if (error instanceof ApiError || !(error instanceof Error)) return errorText(error);
  switch (error.name) {
    case 'InvalidStateError':
      return passkeyText.known;
    case 'NotAllowedError':
    case 'AbortError':
      return passkeyText.notDone;
    default:
      return passkeyText.unsupported;
  }
}
