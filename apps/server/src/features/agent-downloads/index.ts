export { agentUpgrade } from './agent-upgrade.ts';
export { createCachedFile } from './cached-file.ts';
export { registerAgentDownloads } from './agent-download-routes.ts';
export { Runtimes, type RuntimesDeps } from './runtimes/runtimes.ts';
