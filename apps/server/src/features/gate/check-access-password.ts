import { AppError } from '@tongtu/contract';
import { checkUnlocked, clearFailures, countAttempt } from '../../http/failed-attempts.ts';
import { captchaRefusal } from '../captcha/index.ts';
import { queueHashing } from '../users/index.ts';
import { type CheckInput, judgeVisit, letIn, type UrlVerdict } from './check-url.ts';
import { findVisit, type FindVisitDeps, type MappingVisit } from './find-visit.ts';

export type AccessPasswordDeps = FindVisitDeps & {
  verifyPassword: (password: string, hash: string | null) => Promise<boolean>;
};

export type AccessPasswordInput = Omit<CheckInput, 'share'> & {
  password: string;
  /** Whether a captcha has still to be solved before this try at the mapping's password, and that it was none. */
  captcha: {
    ticket: string | undefined;
    mayTry: (mappingId: number) => Promise<boolean>;
    forget: (mappingId: number) => Promise<void>;
  };
};

/**
 * The verdict of checkUrl, and where only the mapping's password is missing, that of the password. Throws
 * gate.password-wrong, gate.password-locked, captcha.required, captcha.ticket-expired, gate.url-not-allowed,
 * gate.too-many-proofs, request.too-many.
 */
export async function checkAccessPassword(deps: AccessPasswordDeps, input: AccessPasswordInput): Promise<UrlVerdict> {
  const visit = await findVisit(deps, input);
  const verdict = await judgeVisit(deps, visit, { ...input, share: undefined });
  if (verdict.reason !== 'password_required' || visit.type !== 'mapping') return verdict;

  // The turn goes around the counting: whoever is refused one has not guessed, nor used up a captcha.
  await queueHashing(`network:${input.asked.network}`, async () => await tryPassword(deps, visit.mapped, input));
  const { passwordVersion } = visit.mapped;
  const grounds = { grantedBy: 'password', userId: input.login?.userId ?? null, passwordVersion } as const;
  return await letIn(deps, visit, grounds, input.asked);
}

async function tryPassword(
  deps: AccessPasswordDeps,
  { mappingId, passwordHash }: MappingVisit['mapped'],
  input: AccessPasswordInput,
): Promise<void> {
  // Whose wrong passwords are counted together: one network's, at one mapping.
  const countedAs = `mapping:${mappingId}:${input.asked.network}`;
  await checkUnlocked(deps.db, countedAs, 'gate.password-locked');
  if (!(await input.captcha.mayTry(mappingId))) throw captchaRefusal(input.captcha);
  await countAttempt(deps.db, countedAs, 'gate.password-locked');
  if (!(await deps.verifyPassword(input.password, passwordHash))) throw new AppError('gate.password-wrong');
  await clearFailures(deps.db, countedAs);
  await input.captcha.forget(mappingId);
}
