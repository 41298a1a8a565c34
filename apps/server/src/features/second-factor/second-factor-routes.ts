import type { FastifyInstance } from 'fastify';
import { mount } from '../../http/mount.ts';
import { registerFactorRoutes } from './factor-routes.ts';
import { confirmationOptions, confirmCaller, describeConfirmation, type ConfirmDeps } from './confirm.ts';
import { logInByPasskey, passkeyLoginOptions } from './log-in-by-passkey.ts';
import { passSecondStep, secondStepOptions } from './pass-second-step.ts';

/** The login by a passkey alone, the second step of other logins, the confirmation before dangerous calls, and the factors that both require. */
export function registerSecondFactorRoutes(app: FastifyInstance, deps: ConfirmDeps): void {
  registerPasskeyLogin(app, deps);
  registerSecondStep(app, deps);
  registerConfirmation(app, deps);
  registerFactorRoutes(app, deps);
}

function registerSecondStep(app: FastifyInstance, deps: ConfirmDeps): void {
  mount(app, 'POST /custom/login/second/', { login: 'optional' }, async ({ body, req, reply }) => {
    const { token, trust_browser: trustsBrowser, ...proof } = body;
    const id = await passSecondStep(deps, { token, proof, trustsBrowser }, { req, reply });
    return { id, second_factor: null };
  });
  mount(app, 'POST /custom/login/second/passkey_options/', { login: 'optional' }, async ({ body, req, reply }) => ({
    options: await secondStepOptions(deps, body.token, { req, reply }),
  }));
}

function registerPasskeyLogin(app: FastifyInstance, deps: ConfirmDeps): void {
  mount(app, 'POST /custom/login/passkey_options/', { login: 'optional' }, async ({ req, reply }) => ({
    options: await passkeyLoginOptions(deps, { req, reply }),
  }));
  mount(app, 'POST /custom/login/passkey/', { login: 'optional' }, async ({ body, req, reply }) => {
    return await logInByPasskey(deps, body.passkey, { req, reply });
  });
}

function registerConfirmation(app: FastifyInstance, deps: ConfirmDeps): void {
  mount(app, 'GET /custom/confirm/', { login: 'required' }, async (caller) => await confirmReply(deps, caller));
  mount(app, 'POST /custom/confirm/', { login: 'required' }, async (caller) => {
    await confirmCaller(deps, caller, caller.body);
    return await confirmReply(deps, caller);
  });
  mount(app, 'POST /custom/confirm/passkey_options/', { login: 'required' }, async (caller) => ({
    options: await confirmationOptions(deps, caller),
  }));
}

async function confirmReply(deps: ConfirmDeps, caller: Parameters<typeof describeConfirmation>[1]) {
  const { methods, confirmedUntil } = await describeConfirmation(deps, caller);
  return { methods, confirmed_until: confirmedUntil?.toISOString() ?? null };
}
