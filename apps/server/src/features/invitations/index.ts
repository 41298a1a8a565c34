export { registerInvitationRoutes } from './invitation-routes.ts';
export { deleteExpiredInvitations } from './invitation-store.ts';
export { countStaffLink, makePasswordLink } from './invite.ts';
