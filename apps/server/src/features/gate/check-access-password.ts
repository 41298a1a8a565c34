import { AppError } from '@tongtu/contract';
import { checkUnlocked, clearFailures, countAttempt } from '../../http/limits/failed-attempts.ts';
import { captchaRefusal } from '../captcha/index.ts';
import { queueHashing } from '../users/index.ts';
import { type CheckInput, decideVisit, admit, type UrlVerdict } from './check-url.ts';
import { findVisit, type FindVisitDeps, type MappingVisit } from './find-visit.ts';

export type AccessPasswordDeps = FindVisitDeps & {
  verifyPassword: (password: string, hash: string | null) => Promise<boolean>;
};

export type AccessPasswordInput = Omit<CheckInput, 'share'> & {
  password: string;
  /** Decides whether this try at the mapping's password needs a captcha first. */
  captcha: {
    ticket: string | undefined;
    allowAttempt: (mappingId: number) => Promise<boolean>;
    /** Clears the wrong tries after a right password. */
    clearFailures: (mappingId: number) => Promise<void>;
  };
};

/**
 * Decides like checkUrl; checks the access password if nothing else is missing. Throws gate.password-wrong,
 * gate.password-locked, captcha.required, captcha.ticket-expired, gate.url-not-allowed, gate.too-many-proofs,
 * request.too-many.
 */
export async function checkAccessPassword(deps: AccessPasswordDeps, input: AccessPasswordInput): Promise<UrlVerdict> {
  const visit = await findVisit(deps, input);
  const verdict = await decideVisit(deps, visit, { ...input, share: undefined });
  if (verdict.reason !== 'password_required' || visit.type !== 'mapping') return verdict;

  // The queue comes before the count, because a request that the queue refuses is no guess and uses no captcha ticket.
  await queueHashing(`network:${input.caller.network}`, async () => await tryPassword(deps, visit, input));
  const { passwordVersion } = visit.mapped;
  const grounds = { grantedBy: 'password', userId: input.login?.userId ?? null, passwordVersion } as const;
  return await admit(deps, visit, grounds, input.caller);
}

async function tryPassword(deps: AccessPasswordDeps, visit: MappingVisit, input: AccessPasswordInput): Promise<void> {
  const { mappingId, passwordHash } = visit.mapped;
  // Wrong passwords are counted per network and mapping.
  const failureKey = `mapping:${mappingId}:${input.caller.network}`;
  await checkUnlocked(deps.db, failureKey, 'gate.password-locked');
  if (!(await input.captcha.allowAttempt(mappingId))) throw captchaRefusal(input.captcha);
  await countAttempt(deps.db, failureKey, 'gate.password-locked');
  if (!(await deps.verifyPassword(input.password, passwordHash))) {
    input.onRefused?.(visit, 'password_wrong');
    throw new AppError('gate.password-wrong');
  }
  await clearFailures(deps.db, failureKey);
  await input.captcha.clearFailures(mappingId);
}
