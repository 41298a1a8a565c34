export { registerRelayControl } from './relay-control-routes.ts';
export { RelayHub } from './relay-hub.ts';
export { deleteStalePresence } from './presence/presence-store.ts';
