import type { LikenessReason } from '@tongtu/contract';

/** What is known of a device, to compare it with others of the same owner. */
export type ComparedDevice = {
  id: number;
  name: string;
  serverId: number;
  isSuspended: boolean;
  isOnline: boolean;
  /** When it was last connected. Undefined: never, or it is connected. */
  lastSeen: Date | undefined;
  createdAt: Date;
  publicIp: string;
  platform: string;
  /** Of its own network cards, as its last scan saw them. */
  ownMacs: readonly string[];
  /** Of the other hosts in its LAN. */
  lanMacs: readonly string[];
};

export type Likeness = { lost: ComparedDevice; successor: ComparedDevice; reasons: LikenessReason[] };

/** A device that was added longer ago is known to its owner. */
const NEW_DAYS = 30;
const DAY_MS = 86_400_000;
const weights: Record<LikenessReason, number> = {
  'same-hardware': 8,
  'same-name': 4,
  'same-network': 2,
  'same-address': 1,
};

/** Pairs of a device that is offline and one that came after it and looks like it. Each device is in one pair at most. */
export function findLikelySuccessors(devices: readonly ComparedDevice[], wallClockMs: number): Likeness[] {
  const lost = devices.filter((device) => !device.isOnline && device.lastSeen !== undefined && !device.isSuspended);
  const added = devices.filter(
    (device) => wallClockMs - device.createdAt.getTime() < NEW_DAYS * DAY_MS && !device.isSuspended,
  );
  const pairs = lost.flatMap((device) =>
    added
      .filter((other) => isSuccessor(device, other))
      .map((successor) => ({ lost: device, successor, reasons: reasonsOf(device, successor) }))
      .filter(({ reasons }) => reasons.length > 0),
  );
  const paired = new Set<number>();
  return pairs.toSorted(byWeight).filter((pair) => {
    if (paired.has(pair.lost.id) || paired.has(pair.successor.id)) return false;
    paired.add(pair.lost.id).add(pair.successor.id);
    return true;
  });
}

/** Why the two look alike. Empty where they do not. */
export function reasonsOf(lost: ComparedDevice, other: ComparedDevice): LikenessReason[] {
  const isSameMachine = lost.ownMacs.some((mac) => other.ownMacs.includes(mac));
  const isSameName = baseName(lost.name) === baseName(other.name);
  // Two machines of one home share these, so they count between machines of one platform only.
  const isSamePlatform = lost.platform === other.platform;
  const isSameLan = isSamePlatform && lost.lanMacs.some((mac) => other.lanMacs.includes(mac));
  const isSameAddress = isSamePlatform && lost.publicIp !== '' && lost.publicIp === other.publicIp;
  return [
    ...(isSameMachine ? (['same-hardware'] as const) : []),
    ...(isSameName ? (['same-name'] as const) : []),
    ...(isSameLan ? (['same-network'] as const) : []),
    ...(isSameAddress ? (['same-address'] as const) : []),
  ];
}

function isSuccessor(lost: ComparedDevice, other: ComparedDevice): boolean {
  if (other.id === lost.id || other.serverId !== lost.serverId || lost.lastSeen === undefined) return false;
  return other.createdAt >= lost.lastSeen;
}

/** A name that another device of the owner had was numbered at the enrolment. */
function baseName(name: string): string {
  return name.replace(/ \d+$/, '').toLowerCase();
}

function byWeight(first: Likeness, second: Likeness): number {
  return weightOf(second) - weightOf(first) || second.successor.id - first.successor.id;
}

export function weightOf({ reasons }: Pick<Likeness, 'reasons'>): number {
  return reasons.reduce((sum, reason) => sum + weights[reason], 0);
}
