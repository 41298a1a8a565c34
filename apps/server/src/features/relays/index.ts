export { registerRelayControl } from './relay-control-routes.ts';
export type { DiagnosisOutcome } from './pending-diagnoses.ts';
export { RelayHub } from './relay-hub.ts';
export { deleteStalePresence } from './presence/presence-store.ts';
