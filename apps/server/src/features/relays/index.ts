export { registerRelayControl } from './relay-control-routes.ts';
export { RelayHub } from './relay-hub.ts';
export { deleteForsakenPresence } from './presence-store.ts';
