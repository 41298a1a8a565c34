import { errorCode } from '../../api/client/api-error.ts';
import { errorText } from '../../api/client/error-text.ts';
import { totpText } from '../../text/account/account.ts';

/** Why a code of an authenticator app failed. The usual reasons are a wrong clock and a code that has been used. */
export function totpErrorText(error: unknown): string {
  return errorCode(error) === 'second-factor.wrong' ? totpText.wrong : errorText(error);
}
