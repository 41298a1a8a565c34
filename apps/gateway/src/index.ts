export { appHandlers } from './app-handlers.ts';
export type { RunningGateway } from './start-gateway.ts';
export { startGateway } from './start-gateway.ts';
