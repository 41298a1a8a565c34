import { z } from 'zod';
import { MAX_INVITATION_HOURS } from '../limits.ts';
import { Id, Timestamp } from '../shared.ts';

/** The validity of a one-time link, in hours. */
export const InvitationLife = z.number().int().min(1).max(MAX_INVITATION_HOURS);

/** A one-time link. It is returned only here, because the server stores only a hash of its token. */
export const LinkMade = z.object({
  id: Id,
  url: z.string().describe('with the token in its fragment; empty where the link was sent by mail'),
  email: z.string().describe('where the link was sent; empty where it was not'),
  expires_at: Timestamp,
});
export type LinkMade = z.infer<typeof LinkMade>;
