import { ApiError, errorText } from '../../api/index.ts';
import { passkeyText } from '../../text/account.ts';

/** Why a passkey did not work: the server's reason, or the browser's by the name of its error (WebAuthn Level 3). */
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
