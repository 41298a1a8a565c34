import { MuxCarrier } from '@tongtu/tunnel';
import { expect, test } from 'vitest';
import { defaultRelayLimits } from '../config/relay-limits.ts';
import { AgentLink } from './agent-link.ts';
import { ChannelSessions } from './channels/channel-sessions.ts';
import { ControlChannel } from './control-channel.ts';

const { heartbeatMs } = defaultRelayLimits;

test.each([
  ['an agent, which pings by itself, is not pinged', false, heartbeatMs - 1, false],
  ['an agent is pinged after a silence', false, heartbeatMs, true],
  ['a relay process that stands in for a frpc is pinged at each heartbeat', true, heartbeatMs - 1, true],
])('%s', (_name, isStandIn, silentMs, isPinged) => {
  const ignored = { onData() {}, onEnd() {}, onReset() {}, onDrain() {} };
  const monotonicMs = () => 0;
  const carrier = new MuxCarrier({ role: 'server', monotonicMs, onStream: () => ignored, onClose() {} });
  const { mux } = carrier;
  const control = new ControlChannel(mux.openStream(ignored), { onMessage() {}, onEnd() {} });
  const facts = { publicIp: '203.0.113.7', agentVersion: '0.1.0', platform: 'linux x64' };
  const channels = { openCarrier: () => carrier, sessions: new ChannelSessions(), monotonicMs, onFailed() {} };
  const given = { facts, features: [], tunnels: undefined, limits: defaultRelayLimits, channels };
  const link = new AgentLink({ carrier, control, isStandIn, ...given });
  mux.takeOutput(Infinity);
  link.ping(silentMs);
  expect(mux.hasOutput).toBe(isPinged);
});
