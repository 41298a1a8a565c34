import { AppError, type Passkey } from '@tongtu/contract';
import type { FastifyInstance } from 'fastify';
import { mount } from '../../http/mount.ts';
import { rotateSessionId, type SessionDeps } from '../sessions/index.ts';
import {
  addPasskey,
  beginTotp,
  createRegistrationOptions,
  removePasskey,
  removeTotp,
  replaceRecoveryCodes,
  turnOnTotp,
  type FactorDeps,
} from './change-factors.ts';
import { renamePasskey, type PasskeyRow } from './passkeys/passkey-store.ts';

export type FactorRoutesDeps = FactorDeps & SessionDeps;

const done = { ok: true as const };

/** The authenticator app, the passkeys and the recovery codes of the caller. */
export function registerFactorRoutes(app: FastifyInstance, deps: FactorRoutesDeps): void {
  registerTotp(app, deps);
  registerPasskeys(app, deps);
  mount(app, 'POST /api/user/recovery_codes/', { login: 'required' }, async ({ session }) => ({
    recovery_codes: await replaceRecoveryCodes(deps, session),
  }));
}

function registerTotp(app: FastifyInstance, deps: FactorRoutesDeps): void {
  mount(
    app,
    'POST /api/user/totp/',
    { login: 'required' },
    async ({ session }) => await beginTotp(deps, session.userId),
  );
  mount(app, 'POST /api/user/totp/confirm/', { login: 'required' }, async ({ body, session, req, reply }) => {
    const codes = await turnOnTotp(deps, session, body.code);
    await rotateSessionId(deps, session, { req, reply });
    return { recovery_codes: codes };
  });
  mount(app, 'DELETE /api/user/totp/', { login: 'required' }, async ({ session }) => {
    await removeTotp(deps.db, session.userId);
    return done;
  });
}

function registerPasskeys(app: FastifyInstance, deps: FactorRoutesDeps): void {
  mount(app, 'POST /api/user/passkeys/options/', { login: 'required' }, async ({ session, req }) => ({
    options: await createRegistrationOptions(deps, session, req),
  }));
  mount(app, 'POST /api/user/passkeys/', { login: 'required' }, async ({ body, session, req, reply }) => {
    const added = await addPasskey(deps, session, { ...body, req });
    if (added.isFirstFactor) await rotateSessionId(deps, session, { req, reply });
    return { passkey: passkeyReply(added.passkey), recovery_codes: added.recoveryCodes };
  });
  mount(app, 'PATCH /api/user/passkeys/{id}/', { login: 'required' }, async ({ params, body, session }) => {
    const passkey = await renamePasskey(deps.db, { id: params.id, userId: session.userId, name: body.name });
    if (!passkey) throw new AppError('passkey.not-found');
    return passkeyReply(passkey);
  });
  mount(app, 'DELETE /api/user/passkeys/{id}/', { login: 'required' }, async ({ params, session }) => {
    await removePasskey(deps.db, { id: params.id, userId: session.userId });
    return done;
  });
}

/** The passkey in the API's form. */
export function passkeyReply({ id, name, createdAt, lastUsedAt, ...passkey }: PasskeyRow): Passkey {
  return {
    id,
    name,
    created_at: createdAt.toISOString(),
    last_used_at: lastUsedAt?.toISOString() ?? null,
    is_discoverable: passkey.isDiscoverable,
    needs_password: passkey.needsPassword,
  };
}
