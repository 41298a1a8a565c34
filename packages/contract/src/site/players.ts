import { parseAddress } from '@tongtu/base';
import { z } from 'zod';
import type { Endpoints } from '../endpoint.ts';
import { fieldMessage } from '../messages/field-messages.ts';
import { Id, Timestamp } from '../shared.ts';

/** An address as the standards write it: no zone, no port, no range. */
const PublicAddress = z
  .string()
  .max(45)
  .refine((text) => !text.includes('%') && parseAddress(text) !== undefined, fieldMessage('ip-address.shape'))
  .describe('an IPv4 or IPv6 address without a zone');

/** What the caller's own devices and mappings show of a network: an IPv4 address, or the /64 of an IPv6 address. */
export const PublicNetwork = z.object({
  network: z.string().describe('an IPv4 address, or an IPv6 range such as `2001:db8::/64`'),
  devices: z.array(
    z
      .object({ id: Id, name: z.string(), public_ip: z.string(), online: z.boolean() })
      .describe('a device of the caller'),
  ),
  visitors: z
    .array(
      z.object({
        address: z.string(),
        who: z.string().describe('empty: unknown'),
        host: z.string().describe('the address of the mapping'),
        last_at: Timestamp.describe('when they were let in last'),
      }),
    )
    .describe('who was let in to the caller’s mappings from there: the latest 50'),
});
export type PublicNetwork = z.infer<typeof PublicNetwork>;

export const playerEndpoints = {
  'GET /api/site/players/get_ip_list/': {
    summary: '我的公网 IP：自己的设备所在的网络，以及那里的设备和访客；可用 pub_address 只查一个',
    query: z.object({ pub_address: PublicAddress.optional() }),
    response: z.array(PublicNetwork),
    errors: ['session.required', 'public-address.no-device'],
  },
} as const satisfies Endpoints;
