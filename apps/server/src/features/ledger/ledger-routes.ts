import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { Db } from '../../db/driver.ts';
import { mount } from '../../http/mount.ts';
import { checkAndAlert } from './check-ledger.ts';

/** For staff: whether every fen can be explained. */
export function registerLedgerRoutes(app: FastifyInstance, deps: { db: Db; log: Logger }): void {
  mount(app, 'GET /api/manage/ledger/check/', { login: 'required' }, async () => {
    const { balanced, accounts, problems, checkedAt } = await checkAndAlert(deps);
    return {
      balanced,
      accounts: accounts.map(({ account, balanceFen }) => ({ account, balance_fen: balanceFen })),
      problems,
      checked_at: checkedAt.toISOString(),
    };
  });
}
