import { OfflineReason } from '@tongtu/contract';
import { z } from 'zod';

const time = z.iso.datetime();
const device = { id: z.number().int(), uid: z.string(), name: z.string() };

const DeviceGone = z.object({ ...device, since: time, reason: OfflineReason.nullable() });
const DeviceBack = z.object({ ...device, since: time, back: time });

/** What there is to tell, as a delivery keeps it until it is put into words. Times are ISO 8601. */
export const AlertDetails = z.discriminatedUnion('event', [
  z.object({ event: z.literal('device_offline'), devices: z.array(DeviceGone).min(1) }),
  z.object({ event: z.literal('device_online'), devices: z.array(DeviceBack).min(1) }),
  z.object({ event: z.literal('new_login'), at: time, browser: z.string(), place: z.string(), ip: z.string() }),
  z.object({ event: z.literal('test'), at: time, channel: z.string() }),
]);
export type AlertDetails = z.infer<typeof AlertDetails>;
export type DeviceGone = z.infer<typeof DeviceGone>;
export type DeviceBack = z.infer<typeof DeviceBack>;
