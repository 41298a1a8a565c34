/** What the built agent is called, on disk and where the server hands it out. */
export const AGENT_FILE = 'tongtu-agent.mjs';
