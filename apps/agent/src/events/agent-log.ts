/** What an agent logs: one event for each change of its state, not one for each try. */
export type AgentEvent =
  | { event: 'server-unreachable'; serverUrl: string; reason: string; redirectedTo?: string | undefined }
  | { event: 'binding-offered'; url: string; fingerprint: string }
  | { event: 'binding-confirmed'; account: string }
  | { event: 'binding-expired' }
  | { event: 'enrolling'; serverUrl: string }
  | { event: 'online'; uid: string; relay: string }
  | { event: 'offline'; reason: string }
  /** The session goes on over new connections: how many, since the last such line, and the longest silence before. */
  | { event: 'connections-replaced'; relay: string; connections: number; seconds: number }
  | { event: 'tunnel-unreachable'; relay: string; reason: string }
  | { event: 'tunnels-unknown'; relay: string; listed: string }
  | { event: 'relay-moved'; relay: string }
  | { event: 'device-unknown' }
  | { event: 'upgrade-offered'; version: string }
  /** The offer was not signed by the pinned key, or its agent is not newer. */
  | { event: 'upgrade-refused'; version: string; reason: string }
  | { event: 'upgrade-failed'; version: string; reason: string }
  | { event: 'upgrade-rolled-back'; version: string }
  | { event: 'scanning'; addresses: readonly string[] };

/** A pino logger fits. */
export type AgentLog = {
  info(fields: AgentEvent, message: string): void;
  warn(fields: AgentEvent, message: string): void;
};
