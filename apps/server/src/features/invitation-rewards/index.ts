export { invitationRewardJobs } from './find-rewards.ts';
export { registerInvitationRewardRoutes } from './reward-routes.ts';
export { deleteOldNetworks } from './same-person.ts';
