export { registerRelayControl } from './relay-control-routes.ts';
export { RelayHub, type RelayHubDeps } from './relay-hub.ts';
