export { markClient, type Client } from './client-windows.ts';
export { clearJoined, findMember, findMemberForInvitation, joinAsMember, recordJoined } from './member-store.ts';
export { addAccountAsMember, deleteEndedMembers, keepMember } from './members.ts';
export { findMembership, selectMemberships } from './membership-store.ts';
export { deleteOldShareLinks, findActiveLink, useShareLink } from './share-link-store.ts';
export { findLinkByCode, findMappingOfCode } from './share-links.ts';
export { registerSharingRoutes } from './sharing-routes.ts';
