export type RelayLimits = {
  headTimeoutMs: number;
  keepAliveIdleMs: number;
  responseHeadTimeoutMs: number;
  /** How long a request to the API server, or its answer, may pause. */
  upstreamIdleMs: number;
  /** The same for a device's service: an event stream or a long poll may be silent. A dead visitor is found by TCP. */
  serviceSilenceMs: number;
  /** How long a visitor may leave an answer unread, as a player does with a paused film. */
  unreadAnswerMs: number;
  /**
   * How long an answer or a WebSocket may be silent once its visitor has ended its side of the connection. Almost all who
   * do that have left, but a FIN alone does not prove it: `nc` and old programs end their side after the request and keep
   * reading.
   */
  halfClosedSilenceMs: number;
  /** How long a silent visitor may take to close after its last answer, and how long one that is still sending. */
  lingerMs: number;
  maxLingerMs: number;
  sweepIntervalMs: number;
  /** Of one visitor's address, in every protocol together; an IPv6 network of 64 bits counts as one address everywhere. */
  maxConnectionsPerVisitorIp: number;
  /** Tickets that one visitor's address has redeemed at a time. */
  maxRedemptionsPerVisitor: number;
  /** TLS handshakes of one address at a time. They take moments, and silent ones must not add up. */
  maxHandshakesPerVisitorIp: number;
  /** How long a client that speaks HTTP/2 alone is held when its network floods. */
  floodHoldMs: number;
  maxStreamsPerTunnel: number;
  /** How many of them one visitor's address may use, and how many of those to the console. */
  maxStreamsPerVisitor: number;
  /** How many further requests of one visitor's address may wait for one of them, and for how long. */
  maxWaitingPerVisitor: number;
  turnWaitMs: number;
  /** How long the body of a request to the API server may take, besides a second for so many bytes. */
  consoleBodyMs: number;
  consoleBodyBytesPerSecond: number;
  /** Connections to the API server that visitors use at once. */
  maxConsoleStreams: number;
  /**
   * Raw TCP and TLS connections: idle both ways, and idle after one side has ended. After an upgrade to another protocol
   * than WebSocket only the latter.
   */
  rawIdleMs: number;
  rawHalfClosedMs: number;
  /** TCP connections of one public port. */
  maxConnectionsPerPort: number;
  udpIdleMs: number;
  /** UDP conversations of one public port, and how many of them, and of all at one device, one visitor's address may have. */
  maxConversationsPerPort: number;
  maxConversationsPerVisitor: number;
  /** Retries of a public port that another program has. */
  portRetryFirstMs: number;
  portRetryMaxMs: number;
  poolIdleMs: number;
  /** Per mapping. Below what visitors use at once, connections would be closed and opened again all the time. */
  poolMaxIdle: number;
  /** How long frpc may take to connect to a target; there is no message that makes it give up. */
  frpcDialTimeoutMs: number;
  tunnelHandshakeTimeoutMs: number;
  loginTimeoutMs: number;
  maxUnauthenticatedPerIp: number;
  maxUnauthenticated: number;
  heartbeatMs: number;
  /** A device that is silent for this long, and until the next check, is offline. The two must not exceed 15 s. */
  heartbeatLostMs: number;
  heartbeatCheckMs: number;
  /** An agent whose connections are all lost is online for so long: it is expected to be back at once. */
  rejoinWaitMs: number;
  /** So long after its last byte a device can go on with its session; longer than the other two. */
  sessionKeptMs: number;
  /** How long a channel stays open that is not needed any more: a visitor reads a page, and opens the next one. */
  channelKeptMs: number;
  /** For how long after a lost packet a device's streams are spread over channels. */
  lossKeptMs: number;
  /** How long a request waits for a device that may come back. Cuts of 10 s are common, and its return takes a second. */
  awayHoldMs: number;
  probeTimeoutMs: number;
  upgradeTimeoutMs: number;
  diagnosisTimeoutMs: number;
  /** How often the lines of devices are measured, at most at each heartbeat, and how long a change waits for others. */
  lineMeasureMs: number;
  lineReportMs: number;
  serverRequestTimeoutMs: number;
  serverHeartbeatMs: number;
  serverLostMs: number;
  reconnectFirstMs: number;
  reconnectMaxMs: number;
  maxQueuedPresence: number;
  /** A crash loses at most the counts of this time. */
  usageReportMs: number;
  visitReportMs: number;
  /** How long the last report of a relay that stops may take. */
  usageLastReportMs: number;
  /** How long open requests may take to finish when the relay stops. */
  drainMs: number;
};

export const defaultRelayLimits: RelayLimits = {
  headTimeoutMs: 10_000,
  keepAliveIdleMs: 75_000,
  responseHeadTimeoutMs: 60_000,
  upstreamIdleMs: 300_000,
  serviceSilenceMs: 3_600_000,
  unreadAnswerMs: 12 * 3_600_000,
  halfClosedSilenceMs: 5_000,
  lingerMs: 2_000,
  maxLingerMs: 30_000,
  sweepIntervalMs: 1_000,
  maxConnectionsPerVisitorIp: 1_000,
  maxRedemptionsPerVisitor: 4,
  maxHandshakesPerVisitorIp: 256,
  floodHoldMs: 3_000,
  maxStreamsPerTunnel: 1_000,
  maxStreamsPerVisitor: 256,
  maxWaitingPerVisitor: 2_048,
  turnWaitMs: 120_000,
  consoleBodyMs: 20_000,
  consoleBodyBytesPerSecond: 4_096,
  maxConsoleStreams: 4_096,
  rawIdleMs: 7_200_000,
  rawHalfClosedMs: 300_000,
  maxConnectionsPerPort: 512,
  udpIdleMs: 60_000,
  maxConversationsPerPort: 768,
  maxConversationsPerVisitor: 512,
  portRetryFirstMs: 1_000,
  portRetryMaxMs: 60_000,
  poolIdleMs: 30_000,
  poolMaxIdle: 128,
  frpcDialTimeoutMs: 10_000,
  tunnelHandshakeTimeoutMs: 10_000,
  loginTimeoutMs: 10_000,
  maxUnauthenticatedPerIp: 256,
  maxUnauthenticated: 4_096,
  heartbeatMs: 6_000,
  heartbeatLostMs: 12_900,
  heartbeatCheckMs: 1_000,
  rejoinWaitMs: 3_000,
  sessionKeptMs: 60_000,
  channelKeptMs: 45_000,
  lossKeptMs: 60_000,
  awayHoldMs: 12_000,
  probeTimeoutMs: 8_200,
  // An agent gives its download 15 minutes.
  upgradeTimeoutMs: 15 * 60_000 + 10_000,
  // An agent gives each of its tries 8 s.
  diagnosisTimeoutMs: 10_000,
  lineMeasureMs: 12_000,
  lineReportMs: 10_000,
  serverRequestTimeoutMs: 10_000,
  serverHeartbeatMs: 5_000,
  serverLostMs: 15_000,
  reconnectFirstMs: 200,
  reconnectMaxMs: 5_000,
  maxQueuedPresence: 10_000,
  usageReportMs: 2_000,
  visitReportMs: 1_000,
  usageLastReportMs: 3_000,
  drainMs: 30_000,
};
