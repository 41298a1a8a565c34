import type { DeviceRoutes, DiagnosisResult, LineLoss, OfflineReason, ProbeResult, Route } from '@tongtu/contract';
import type { AgentFeature, AllowedTarget, HttpRules, UpgradeOffer } from '@tongtu/tunnel';
import type { OpenTarget } from '../upstream/target-stream.ts';
import type { OnReport } from './discoveries.ts';

export type DeviceFacts = { publicIp: string; agentVersion: string; platform: string };

/** Why we end the connection; `retryAfterMs` null: for good. */
export type Bye = { code: string; retryAfterMs: number | null };

/** What a device learns when its session begins. */
export type Welcome = { uid: string; epoch: number; targets: AllowedTarget[] };

/** The connections of a session that survives their loss. */
type LinkChannels = {
  /** Since when there is none; undefined: there is one. */
  readonly disconnectedAtMs: number | undefined;
  /** Ends channels that nobody needs, and those that cannot come back any more. `wokeAtMs`: see DeviceSession. */
  closeUnneeded(monotonicMs: number, wokeAtMs: number): void;
};

/** The connection of a device after its login: of our agent, or of another program that can reach targets for us. */
export type DeviceLink = {
  readonly facts: DeviceFacts;
  readonly features: ReadonlySet<AgentFeature>;
  /** The streams to targets that are open now. */
  readonly streamCount: number;
  readonly lastReceivedAtMs: number;
  /** Undefined: the session ends with its connection. */
  readonly channels?: LinkChannels | undefined;
  /** The device ends the session by itself; set by the session. */
  onEnded: (reason: OfflineReason) => void;
  /** The device has other targets for a mapping, which its routes do not say; set by the session. */
  onTargetsChanged: (mappingId: number) => void;
  /** The device has joined its session with another connection; set by the session. */
  onJoined?: () => void;
  /** Whether its line loses packets is otherwise now than before; set by the session. */
  onLine?: (loss: LineLoss | undefined) => void;
  /** Whether the device would still be let in: its secret may have been replaced. */
  isLoginOf(device: DeviceRoutes): boolean;
  welcome(welcome: Welcome): void;
  /** The device may dial these, and nothing else. */
  setTargets(targets: AllowedTarget[]): void;
  readonly openTarget: OpenTarget;
  /** How requests to this mapping are served, where its route alone does not say it. */
  httpRulesOf(mappingId: number): HttpRules | undefined;
  /** Called at each heartbeat: has the device answer, so that `lastReceivedAtMs` moves, unless it pings by itself. */
  ping(monotonicMs: number): void;
  /** Tries a mapping's target. Always answers. */
  probe(route: Route): Promise<ProbeResult>;
  /** Has the device wake a machine in its network. Always answers. */
  wake(mac: string): Promise<ProbeResult>;
  /** Has the agent start anew with a newer version. Always answers. */
  upgrade(offer: UpgradeOffer): Promise<ProbeResult>;
  /** Has the device scan its LAN. The last report is of type `end`. */
  discover(onReport: OnReport): void;
  /** Has the device say what it finds out about its own connection. Always answers. */
  diagnose(): Promise<DiagnosisResult>;
  /** The session is over: answers what still waits. */
  settle(): void;
  /** Takes no new streams from now on, if the device's program understands that; open ones go on. */
  goAway(): void;
  /** Sends the device the reason, if its program has a message for it, and closes the connection. */
  bye(bye: Bye): void;
  /** Closes the connection at once; for `error` if it is a fault of ours. */
  close(error?: Error): void;
};
