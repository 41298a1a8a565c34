export type GatewayLimits = {
  /** Open at the same time, of all users. */
  maxSessions: number;
  /** Connections to the target that one session has at a time. */
  maxStreamsPerSession: number;
  /** Without anything that the user does, a session ends after this time, and warns before. */
  idleMs: number;
  idleWarningMs: number;
  /** A session without a connection from the browser ends after this time: enough to reload the page. */
  abandonedMs: number;
  usageReportMs: number;
};

export const defaultGatewayLimits: GatewayLimits = {
  maxSessions: 300,
  maxStreamsPerSession: 16,
  idleMs: 30 * 60_000,
  idleWarningMs: 60_000,
  abandonedMs: 60_000,
  usageReportMs: 5_000,
};
