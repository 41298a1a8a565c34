export type { WebRules } from './config/web-rules.ts';
export { type KeyAndCert, type RelayConfig } from './config/relay-config.ts';
export { defaultRelayLimits, type RelayLimits } from './config/relay-limits.ts';
export { type RunningRelay, startRelay } from './start-relay.ts';
export { createConsoleHostTest } from './routes/console-host.ts';
