import { OfflineReason } from '@tongtu/contract';
import { z } from 'zod';

const time = z.iso.datetime();
const device = { id: z.number().int(), uid: z.string(), name: z.string() };

const OfflineDevice = z.object({ ...device, since: time, reason: OfflineReason.nullable() });
const OnlineDevice = z.object({ ...device, since: time, back: time });

/** `device`: where it is bound; null: nowhere. */
const EndingPlan = z.object({
  id: z.number().int(),
  name: z.string(),
  device: z.object({ id: z.number().int(), name: z.string() }).nullable(),
  ends: time,
});

/** The facts of an alert, stored with its delivery until the message is written. Times are ISO 8601. */
export const AlertDetails = z.discriminatedUnion('event', [
  z.object({ event: z.literal('device_offline'), devices: z.array(OfflineDevice).min(1) }),
  z.object({ event: z.literal('device_online'), devices: z.array(OnlineDevice).min(1) }),
  z.object({ event: z.literal('new_login'), at: time, browser: z.string(), place: z.string(), ip: z.string() }),
  z.object({
    event: z.literal('passkey_added'),
    at: time,
    name: z.string(),
    browser: z.string(),
    place: z.string(),
    ip: z.string(),
  }),
  z.object({
    event: z.literal('access_request'),
    at: time,
    account: z.string(),
    domain: z.string(),
    message: z.string(),
  }),
  z.object({ event: z.literal('plan_expiring'), plans: z.array(EndingPlan).min(1) }),
  z.object({ event: z.literal('plan_expired'), plans: z.array(EndingPlan).min(1) }),
  z.object({
    event: z.literal('ledger_unbalanced'),
    at: time,
    problems: z.array(z.string()),
    problemCount: z.number().int(),
  }),
  z.object({ event: z.literal('test'), at: time, channel: z.string() }),
]);
export type AlertDetails = z.infer<typeof AlertDetails>;
export type OfflineDevice = z.infer<typeof OfflineDevice>;
export type EndingPlan = z.infer<typeof EndingPlan>;
export type OnlineDevice = z.infer<typeof OnlineDevice>;
