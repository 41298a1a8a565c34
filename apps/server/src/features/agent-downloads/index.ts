export { registerAgentDownloads, type AgentDownloadsDeps } from './agent-download-routes.ts';
