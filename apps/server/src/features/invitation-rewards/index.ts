export { invitationRewardJobs } from './find-rewards.ts';
export { registerInvitationRewardRoutes } from './reward-routes.ts';
export { deleteOldNetworks } from './person-trace-store.ts';
