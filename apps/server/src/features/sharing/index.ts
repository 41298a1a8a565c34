export { markClient, type Client } from './client-windows.ts';
export { findMember, findMembership } from './member-store.ts';
export { deleteOldShareLinks, findLivingLink, useShareLink } from './share-link-store.ts';
export { findLinkOfCode } from './share-links.ts';
export { registerSharingRoutes } from './sharing-routes.ts';
