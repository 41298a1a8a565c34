import { AppError, type LoginReply } from '@tongtu/contract';
import { ensureBrowser, findBrowser } from '../../http/browser/browser-cookie.ts';
import type { HttpCall } from '../../http/session.ts';
import { finishLogin, type LoginDeps } from './finish-login.ts';
import { createLoginOptions, verifyLoginAnswer } from './passkeys/passkey.ts';

/** The WebAuthn options of a login by a passkey alone, for this browser. */
export async function passkeyLoginOptions(
  { db, publicUrl }: LoginDeps,
  call: HttpCall,
): Promise<Record<string, unknown>> {
  return await createLoginOptions(db, { publicUrl, req: call.req }, ensureBrowser(call));
}

/**
 * Logs in the account whose passkey has answered. A passkey cannot be guessed, so failures are not counted, and it works while
 * passwords are locked. Throws `second-factor.expired`, or `passkey.login-failed` without saying why.
 */
export async function logInByPasskey(
  deps: LoginDeps,
  response: Record<string, unknown>,
  call: HttpCall,
): Promise<LoginReply> {
  const { db, publicUrl } = deps;
  const { req } = call;
  const passkey = await verifyLoginAnswer(db, { publicUrl, req }, { browserHash: findBrowser(req), response });
  if (!passkey) throw new AppError('passkey.login-failed');
  return await finishLogin(deps, { id: passkey.userId, passkey }, call);
}
