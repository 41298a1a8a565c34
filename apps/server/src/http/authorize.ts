import { AppError, hasRole, type Endpoint } from '@tongtu/contract';
import type { FastifyRequest } from 'fastify';
import { checkCsrfToken, ensureCsrfToken } from './browser/csrf.ts';
import { checkNotOtherSite, checkSameOrigin } from './browser/same-origin.ts';
import type { HttpCall, Session, SessionSource } from './session.ts';
import { checkShownUser } from './browser/shown-user.ts';

export type LoginRule = 'required' | 'optional';

/** What every mounted call needs from the composition root. */
export type CallGuard = {
  sessions: SessionSource;
  csrfKey: Buffer;
  /** Whether two-step login is on for the account. */
  hasSecondFactor: (userId: number) => Promise<boolean>;
  /** Where it is off, calls of billing are refused after all other checks. */
  billing: 'off' | 'on';
};

/** What a call requires of its caller. */
type CallRule = Pick<Endpoint, 'raw' | 'role' | 'scope' | 'confirmed'>;

const safeMethods: readonly string[] = ['GET', 'HEAD'];

/** Returns the caller's session. Throws the error with which the call is refused. */
export async function authorize(guard: CallGuard, rule: CallRule, login: 'required', call: HttpCall): Promise<Session>;
export async function authorize(
  guard: CallGuard,
  rule: CallRule,
  login: LoginRule,
  call: HttpCall,
): Promise<Session | undefined>;
export async function authorize(
  guard: CallGuard,
  rule: CallRule,
  login: LoginRule,
  { req, reply }: HttpCall,
): Promise<Session | undefined> {
  const isSafe = safeMethods.includes(req.method);
  // With a CSRF token or a token of a program, or to read, a call needs no word about its page.
  if (rule.raw === true) checkSameOrigin(req);
  else checkNotOtherSite(req);
  // A call with a token ignores all cookies, so a page cannot combine a token with a browser's session.
  // A call that needs no login ignores the token.
  const token = login === 'required' ? readApiToken(req) : undefined;
  if (token !== undefined) return await authorizeProgram(guard, rule, token);
  const session = await guard.sessions.find({ req, reply });
  if (isSafe) ensureCsrfToken(guard.csrfKey, session, { req, reply });
  if (login === 'required' && !session) throw new AppError('session.required');
  if (!isSafe && !rule.raw) checkCsrfToken(guard.csrfKey, session, req);
  if (!isSafe) checkShownUser(session, req);
  checkRole(rule, session);
  if (await needsConfirmation(guard, rule, session)) throw new AppError('session.confirm-required');
  return session;
}

/** Comes before the confirmation: a user who lacks the role is not asked to confirm. */
function checkRole({ role }: CallRule, session: Session | undefined): void {
  if (role !== undefined && !(session && hasRole(session.flags, role))) throw new AppError('session.forbidden');
}

async function needsConfirmation(
  { hasSecondFactor }: CallGuard,
  { confirmed }: CallRule,
  session: Session | undefined,
): Promise<boolean> {
  if (confirmed === undefined || confirmed === 'by-content' || session?.isConfirmed) return false;
  return confirmed === true || session === undefined || (await hasSecondFactor(session.userId));
}

async function authorizeProgram(guard: CallGuard, rule: CallRule, token: string): Promise<Session> {
  const session = await guard.sessions.findByToken(token);
  if (!session) throw new AppError('api-token.invalid');
  const { scope } = rule;
  if (scope === undefined || !session.scopes?.includes(scope)) throw new AppError('session.scope');
  checkRole(rule, session);
  return session;
}

/** The text after `Authorization: Bearer`, valid or not. A call with login that has this header comes from a program. */
function readApiToken({ headers: { authorization = '' } }: FastifyRequest): string | undefined {
  return /^Bearer(?: +|$)(.*)/i.exec(authorization)?.[1];
}
