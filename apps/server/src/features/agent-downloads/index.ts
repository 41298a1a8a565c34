export { agentUpgrade } from './agent-upgrade.ts';
export { registerAgentDownloads } from './agent-download-routes.ts';
