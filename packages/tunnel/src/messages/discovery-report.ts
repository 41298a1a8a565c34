/**
 * What an agent reports of its LAN while it scans. All of it comes from unknown hosts, and the agent itself may
 * be hostile: every text and list has a limit, and receivers refuse a report that exceeds one.
 */
import { z } from 'zod';

export const MAX_DISCOVERED_HOSTS = 256;
export const MAX_SERVICES_PER_HOST = 20;
/** Hosts of one report: the largest report is below MAX_MESSAGE_BYTES. */
export const MAX_HOSTS_PER_REPORT = 4;
export const MAX_SEEN_TEXT_LENGTH = 120;
export const MAX_SEEN_LIST_LENGTH = 8;

const Text = z.string().max(MAX_SEEN_TEXT_LENGTH);

/** A TCP port that accepted a connection. */
export const SeenService = z.object({
  port: z.number().int().min(1).max(65_535),
  /** What answered, such as http, https, ssh, vnc; empty: nothing that the agent knows. */
  protocol: z.string().max(20),
  /** The first text of the service, or of a page that is not HTML. */
  banner: Text.optional(),
  status: z.number().int().min(100).max(999).optional(),
  title: Text.optional(),
  /** The header field Server. */
  server: Text.optional(),
  /** The realm that the service asks a login for. */
  realm: Text.optional(),
  /** Names and organizations in the certificate. */
  certificate: z.array(Text).max(MAX_SEEN_LIST_LENGTH).optional(),
  /** MurmurHash3 of the icon in base64, signed, as search engines of devices publish it. */
  favicon: z.number().int().min(-2_147_483_648).max(2_147_483_647).optional(),
  /** The service answers OPTIONS with a DAV header. */
  isWebdav: z.boolean().optional(),
});
export type SeenService = z.infer<typeof SeenService>;

/** What a host announces by mDNS (RFC 6762, RFC 6763). */
export const SeenMdns = z.object({
  type: z.string().max(80),
  name: Text,
  port: z.number().int().min(0).max(65_535).optional(),
  txt: z.array(Text).max(MAX_SEEN_LIST_LENGTH).optional(),
});
export type SeenMdns = z.infer<typeof SeenMdns>;

/** What a host announces by SSDP (UPnP Device Architecture). */
export const SeenSsdp = z.object({
  server: Text.optional(),
  friendlyName: Text.optional(),
  manufacturer: Text.optional(),
  modelName: Text.optional(),
  deviceType: Text.optional(),
});
export type SeenSsdp = z.infer<typeof SeenSsdp>;

/** A host as far as it is known now. A later report of the same address replaces the earlier one. */
export const SeenHost = z.object({
  address: z.ipv4(),
  mac: z
    .string()
    .regex(/^(?:[0-9a-f]{2}:){5}[0-9a-f]{2}$/)
    .optional(),
  /** The machine that the agent runs on. */
  isSelf: z.boolean().optional(),
  names: z.array(Text).max(MAX_SEEN_LIST_LENGTH),
  mdns: z.array(SeenMdns).max(MAX_SERVICES_PER_HOST),
  ssdp: z.array(SeenSsdp).max(MAX_SEEN_LIST_LENGTH),
  services: z.array(SeenService).max(MAX_SERVICES_PER_HOST),
});
export type SeenHost = z.infer<typeof SeenHost>;

/**
 * How a scan ended. The agent says `done`, `partial` (its time ran out), `switched-off` (by its own configuration),
 * `no-network` (no private network), `busy` or `failed`; the relay says the others.
 */
export const DiscoveryResult = z.enum([
  'done',
  'partial',
  'switched-off',
  'no-network',
  'busy',
  'failed',
  'offline',
  'outdated',
  'unsupported',
  'lost',
]);
export type DiscoveryResult = z.infer<typeof DiscoveryResult>;

export const DiscoveryReport = z.discriminatedUnion('type', [
  z.object({ type: z.literal('progress'), percent: z.number().int().min(0).max(100) }),
  z.object({ type: z.literal('hosts'), hosts: z.array(SeenHost).max(MAX_HOSTS_PER_REPORT) }),
  z.object({ type: z.literal('end'), result: DiscoveryResult }),
]);
export type DiscoveryReport = z.infer<typeof DiscoveryReport>;
