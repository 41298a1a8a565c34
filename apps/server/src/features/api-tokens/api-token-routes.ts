import { AppError, type ApiToken } from '@tongtu/contract';
import type { FastifyInstance } from 'fastify';
import type { Db } from '../../db/driver.ts';
import { mount } from '../../http/mount.ts';
import { createApiToken, knownScopes } from './api-token.ts';
import { deleteApiToken, listApiTokens, type ApiTokenRow } from './api-token-store.ts';

export function registerApiTokenRoutes(app: FastifyInstance, deps: { db: Db }): void {
  mount(app, 'GET /api/user/api_tokens/', { login: 'required' }, async ({ session }) =>
    (await listApiTokens(deps.db, session.userId)).map(replyOf),
  );
  mount(app, 'POST /api/user/api_tokens/', { login: 'required' }, async ({ body, session }) => {
    const { name, scopes, valid_days: validDays } = body;
    const { token, row } = await createApiToken(deps.db, session, { name, scopes, validDays });
    return { token, api_token: replyOf(row) };
  });
  mount(app, 'DELETE /api/user/api_tokens/{id}/', { login: 'required' }, async ({ params, session }) => {
    const isDeleted = await deleteApiToken(deps.db, { id: params.id, userId: session.userId });
    if (!isDeleted) throw new AppError('api-token.not-found');
    return { ok: true as const };
  });
}

function replyOf(row: ApiTokenRow): ApiToken {
  return {
    id: row.id,
    name: row.name,
    hint: row.hint,
    scopes: knownScopes(row.scopes),
    created_at: row.createdAt.toISOString(),
    expires_at: row.expiresAt?.toISOString() ?? null,
    last_used_at: row.lastUsedAt?.toISOString() ?? null,
  };
}
