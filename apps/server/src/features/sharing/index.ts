export { markClient, type Client } from './client-windows.ts';
export {
  findMappingOfMember,
  findMember,
  findMemberForInvitation,
  joinAsMember,
  recordJoined,
} from './member-store.ts';
export { findMembership, selectMemberships } from './membership-store.ts';
export { deleteOldShareLinks, findLivingLink, useShareLink } from './share-link-store.ts';
export { findLinkOfCode } from './share-links.ts';
export { registerSharingRoutes } from './sharing-routes.ts';
