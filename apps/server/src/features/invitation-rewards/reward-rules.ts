import type { RewardEvent } from '@tongtu/contract';

type Event = (typeof RewardEvent)['options'][number];

/** Days on a device that the inviter gets. */
export const rewardDays: Record<Event, number> = { joined: 7, paid: 30 };
/** From the event until the reward can be claimed: time to notice abuse, and for a refund. */
export const waitHours: Record<Event, number> = { joined: 24, paid: 168 };
/** `joined` is for devices that come online soon after their account was made, while traces of its networks are kept. */
export const JOINED_WITHIN_DAYS = 30;
/** Traces of networks are older than any account for which they are compared. */
export const KEEP_NETWORKS_DAYS = JOINED_WITHIN_DAYS + 10;
/** Rewards of one inviter in a calendar month in China; those that are void do not count. */
export const MONTHLY_CAP = 20;
