import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { Db } from '../../db/driver.ts';
import { mount } from '../../http/mount.ts';
import { pageLinks } from '../../http/page-links.ts';
import { bindInviter } from '../inviters/index.ts';
import { claimReward } from './claim-reward.ts';
import { affReply, rewardReply } from './reward-replies.ts';
import { listRewards } from './reward-store.ts';

export type RewardRoutesDeps = { db: Db; sealingKey: Buffer; publicUrl: string; log: Logger };

const rewardsPath = '/api/marketing/invitation_rewards/';

/** One's own invitation code, whom it brought, and the rewards for it. */
export function registerInvitationRewardRoutes(app: FastifyInstance, deps: RewardRoutesDeps): void {
  const { db, log } = deps;
  mount(app, 'GET /api/marketing/invitation_aff/', { login: 'required' }, async ({ session }) => {
    return await affReply(deps, session.userId);
  });
  mount(app, `GET ${rewardsPath}`, { login: 'required' }, async ({ query, session }) => {
    const { count, rewards } = await listRewards(db, session.userId, query);
    return { count, ...pageLinks(rewardsPath, query, count), results: rewards.map(rewardReply) };
  });
  mount(app, `POST ${rewardsPath}`, { login: 'required' }, async ({ body, session }) => {
    const { id: rewardId, as, router: deviceId } = body;
    const claim = as === 'key' ? { as } : { as, deviceId };
    const { reward, key } = await claimReward(deps, { userId: session.userId, rewardId, ...claim });
    log.info({ userId: session.userId, rewardId, as }, 'an invitation reward was claimed');
    return { reward: rewardReply(reward), key };
  });
  mount(app, 'POST /api/marketing/bind_invitation/', { login: 'required' }, async ({ body, session }) => {
    await bindInviter(db, { userId: session.userId, typed: body.code });
    return await affReply(deps, session.userId);
  });
}
