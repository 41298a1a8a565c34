import { z } from 'zod';
import { Registration } from '../user-management/registration.ts';

/** What the console needs to know of this installation before login. */
export const SiteConfig = z.object({
  version: z.string(),
  billing: z.enum(['off', 'on']),
  base_domain: z.string(),
  console_url: z.string(),
  mapping_ports: z
    .object({ from: z.number().int(), to: z.number().int() })
    .describe('the public ports that tcp and udp mappings may have, both ends included'),
  sso_url: z.string().nullable().describe('where the single sign-on host is reached; null: no login by WeChat'),
  phone_login: z.boolean().describe('codes can be sent by SMS, or are shown where this installation is developed'),
  mail_codes: z.boolean().describe('an address can be bound: codes can be sent by mail'),
  registration: Registration,
  has_administrator: z.boolean().describe('false: no administrator has logged in yet'),
  phone_regions: z.array(z.string()).describe('country calling codes without +, the usual one first, e.g. `86`'),
});
export type SiteConfig = z.infer<typeof SiteConfig>;

/** What an agent needs to connect: the relays' addresses and the pin of their key. */
export const AgentBootstrap = z.object({
  protocol: z.number().int(),
  tunnel_host: z.string(),
  tunnel_port: z.number().int(),
  relay_pin: z.string().describe('base64url SHA-256 of the relay certificate public key (SPKI, DER)'),
  upgrade_key: z
    .string()
    .length(43)
    .optional()
    .describe('Ed25519 key that signs agents for upgrades from the console, raw, base64url; agents pin it'),
  agent_version: z.string(),
  agent_sha256: z.string().describe('hex SHA-256 of the agent file that this server hands out'),
});
export type AgentBootstrap = z.infer<typeof AgentBootstrap>;

/** An event of `GET /api/user/events/` (text/event-stream): which of the caller's lists changed. */
export const LiveEvent = z.object({
  topic: z.enum([
    'devices',
    'announcements',
    'verifications',
    'shared_with_me',
    'profile',
    'cloud_apps',
    'cloud_app_sessions',
    'orders',
  ]),
});
export type LiveEvent = z.infer<typeof LiveEvent>;
