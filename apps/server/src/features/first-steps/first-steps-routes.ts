import { isIP } from 'node:net';
import { must } from '@tongtu/base';
import type { FirstSteps } from '@tongtu/contract';
import type { FastifyInstance } from 'fastify';
import type { Db } from '../../db/driver.ts';
import { mount } from '../../http/mount.ts';
import { findFirstAdminId } from '../installation/index.ts';
import { hasSecondFactor } from '../second-factor/index.ts';
import { findNotedSteps, findOwnSteps, noteSteps } from './first-steps-store.ts';

export type FirstStepsDeps = { db: Db; baseDomain: string };

/** What the account that the first start made should do first. */
export function registerFirstStepsRoutes(app: FastifyInstance, deps: FirstStepsDeps): void {
  const { db } = deps;
  mount(app, 'GET /api/manage/first_steps/', { login: 'required' }, async ({ session }) => {
    return await describeSteps(deps, session.userId);
  });
  mount(app, 'PATCH /api/manage/first_steps/', { login: 'required' }, async ({ body, session }) => {
    await noteSteps(db, {
      ...(body.is_shown === false && { isDismissed: true }),
      ...(body.backup !== undefined && { hasBackup: body.backup }),
    });
    return await describeSteps(deps, session.userId);
  });
}

async function describeSteps({ db, baseDomain }: FirstStepsDeps, userId: number): Promise<FirstSteps> {
  const { isDismissed, hasBackup } = await findNotedSteps(db);
  const { hasOneTimePassword, hasAlert } = must(await findOwnSteps(db, userId), 'the account of a session');
  return {
    is_shown: !isDismissed && (await findFirstAdminId(db)) === userId,
    password: !hasOneTimePassword,
    second_factor: await hasSecondFactor(db, userId),
    alert: hasAlert,
    domain: isOwnDomain(baseDomain),
    backup: hasBackup,
  };
}

/** `localhost` and addresses are what an installation has before it gets a domain. */
function isOwnDomain(baseDomain: string): boolean {
  return baseDomain.includes('.') && !baseDomain.endsWith('.localhost') && isIP(baseDomain) === 0;
}
