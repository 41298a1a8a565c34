import { AppError, hasRole, type Endpoint } from '@tongtu/contract';
import type { FastifyRequest } from 'fastify';
import { checkCsrfToken, ensureCsrfToken } from './csrf.ts';
import { checkNotOtherSite, checkSameOrigin } from './same-origin.ts';
import type { HttpCall, Session, SessionSource } from './session.ts';
import { checkShownUser } from './shown-user.ts';

export type LoginRule = 'required' | 'optional';

/** What every mounted call needs from the composition root. */
export type CallGuard = {
  sessions: SessionSource;
  csrfKey: Buffer;
  /** Whether two-step login is on for the account. */
  hasSecondFactor: (userId: number) => Promise<boolean>;
};

/** What a call asks of its caller. */
type CallRule = Pick<Endpoint, 'raw' | 'role' | 'scope' | 'confirmed'>;

const safeMethods: readonly string[] = ['GET', 'HEAD'];

/** Who calls, if they may. Throws what the call is refused with; for a call without login only what concerns pages. */
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
  if (rule.raw === 'program') checkNotOtherSite(req);
  else if (rule.raw || (!isSafe && req.headers.origin !== undefined)) checkSameOrigin(req);
  // A program's token goes alone: cookies beside it count for nothing, so no page can lend it a session or be lent it.
  // A call that needs no login is nobody's to refuse: there it is as if the token had not come.
  const token = login === 'required' ? readApiToken(req) : undefined;
  if (token !== undefined) return await authorizeProgram(guard, rule, token);
  const session = await guard.sessions.find({ req, reply });
  if (isSafe) ensureCsrfToken(guard.csrfKey, session, { req, reply });
  if (login === 'required' && !session) throw new AppError('session.required');
  if (!isSafe && !rule.raw) checkCsrfToken(guard.csrfKey, session, req);
  if (!isSafe) checkShownUser(session, req);
  checkRole(rule, session);
  if (await lacksProof(guard, rule, session)) throw new AppError('session.confirm-required');
  return session;
}

/** Before anything is asked of them to prove: nobody confirms who they are for what they may not do. */
function checkRole({ role }: CallRule, session: Session | undefined): void {
  if (role !== undefined && !(session && hasRole(session.flags, role))) throw new AppError('session.forbidden');
}

async function lacksProof(
  { hasSecondFactor }: CallGuard,
  { confirmed }: CallRule,
  session: Session | undefined,
): Promise<boolean> {
  if (confirmed === undefined || session?.isConfirmed) return false;
  return confirmed === true || session === undefined || (await hasSecondFactor(session.userId));
}

async function authorizeProgram(guard: CallGuard, rule: CallRule, token: string): Promise<Session> {
  const session = await guard.sessions.findByToken(token);
  if (!session) throw new AppError('api-token.invalid');
  const { scope, confirmed } = rule;
  if (scope === undefined || confirmed || !session.scopes?.includes(scope)) throw new AppError('session.scope');
  checkRole(rule, session);
  return session;
}

/** The text of an `Authorization: Bearer` header, whatever it is; every call with login that has one is a program's. */
function readApiToken({ headers: { authorization = '' } }: FastifyRequest): string | undefined {
  return /^Bearer(?: +|$)(.*)/i.exec(authorization)?.[1];
}
