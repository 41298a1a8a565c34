import { AppError } from '@tongtu/contract';
import type { CallRequest, Session } from '../session.ts';

const SHOWN_USER_HEADER = 'x-user-id';

export const shownUserParameter = {
  name: 'X-User-Id',
  in: 'header',
  required: false,
  description:
    'The id of the account that the page shows: the call is refused when the session is another account’s by now. ' +
    'Programs leave it out.',
  schema: { type: 'integer' },
} as const;

/**
 * Throws `session.changed` if a console that shows one account calls in the session of another account: somebody has
 * logged in to it in another tab since.
 */
export function checkShownUser(session: Session | undefined, req: CallRequest): void {
  const shown = req.headers[SHOWN_USER_HEADER];
  if (session && shown !== undefined && shown !== String(session.userId)) throw new AppError('session.changed');
}
