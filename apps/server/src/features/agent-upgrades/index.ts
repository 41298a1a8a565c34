export { registerAgentUpgradeRoutes } from './agent-upgrade-routes.ts';
export { openOffers, upgradeKeyOf } from './sign-offer.ts';
