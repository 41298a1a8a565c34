export type { WebRules } from './edge/web-rules.ts';
export { defaultRelayLimits, type KeyAndCert, type RelayConfig, type RelayLimits } from './relay-config.ts';
export { type RunningRelay, startRelay } from './start-relay.ts';
export { certificatePin } from './tunnels/login.ts';
export { createConsoleHostTest } from './visitors/console-host.ts';
