import { errorCode } from '../../api/api-error.ts';
import { errorText } from '../../api/error-text.ts';
import { totpText } from '../../text/account.ts';

/** Why a code of an authenticator app failed. The usual reasons are a wrong clock and a code that has been used. */
export function totpErrorText(error: unknown): string {
  return errorCode(error) === 'second-factor.wrong' ? totpText.wrong : errorText(error);
}
