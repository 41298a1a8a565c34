export { registerAgentDownloads } from './agent-download-routes.ts';
