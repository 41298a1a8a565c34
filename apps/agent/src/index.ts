export type { AgentConfig } from './agent-config.ts';
export { AgentError, type AgentErrorCode } from './events/agent-error.ts';
export type { AgentEvent, AgentLog } from './events/agent-log.ts';
export { type AgentOutcome, type RunningAgent, startAgent } from './start-agent.ts';
export { RetryDelay, type TryEnd } from './dial/retry-delay.ts';
export { lockStateFolder } from './state/lock-state-folder.ts';
export { startWelcomePage, type WelcomePage } from './welcome/start-welcome-page.ts';
