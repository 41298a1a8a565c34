import { AppError } from '@tongtu/contract';
import { type CheckInput, judgeVisit, letIn, type UrlVerdict } from './check-url.ts';
import { findVisit, type FindVisitDeps } from './find-visit.ts';
import { claimGuess, clearGuesses, readLock } from './password-failure-store.ts';

export type AccessPasswordDeps = FindVisitDeps & {
  verifyPassword: (password: string, hash: string | null) => Promise<boolean>;
};

export type AccessPasswordInput = Omit<CheckInput, 'share'> & {
  password: string;
  /** Whose failures count together. */
  network: string;
  /** Whether a captcha has still to be solved before this try at the mapping's password, and that it was none. */
  captcha: { mayTry: (mappingId: number) => Promise<boolean>; forget: (mappingId: number) => Promise<void> };
};

/**
 * The verdict of checkUrl, and where only the mapping's password is missing, that of the password. Throws
 * gate.password-wrong, gate.password-locked, captcha.required, gate.url-not-allowed.
 */
export async function checkAccessPassword(deps: AccessPasswordDeps, input: AccessPasswordInput): Promise<UrlVerdict> {
  const visit = await findVisit(deps, input);
  const verdict = await judgeVisit(deps, visit, { userId: input.userId, share: undefined });
  if (verdict.reason !== 'password_required' || visit.type !== 'mapping') return verdict;

  const { mappingId, passwordHash, passwordVersion } = visit.mapped;
  const guesser = { mappingId, address: input.network };
  const lockedSeconds = await readLock(deps.db, guesser);
  if (lockedSeconds > 0) throw locked(lockedSeconds);
  if (!(await input.captcha.mayTry(mappingId))) throw new AppError('captcha.required');
  if (!(await claimGuess(deps.db, guesser))) throw locked(await readLock(deps.db, guesser));
  if (!(await deps.verifyPassword(input.password, passwordHash))) throw new AppError('gate.password-wrong');
  await clearGuesses(deps.db, guesser);
  await input.captcha.forget(mappingId);
  return await letIn(deps, visit, { grantedBy: 'password', userId: input.userId ?? null, passwordVersion });
}

function locked(seconds: number): AppError {
  return new AppError('gate.password-locked', { retryAfterSeconds: Math.max(seconds, 1) });
}
