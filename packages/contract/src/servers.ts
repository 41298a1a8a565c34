import { z } from 'zod';
import { Id } from './shared.ts';

/** A relay region with its own domain suffix. */
export const Server = z.object({
  id: Id,
  name: z.string(),
  suffix: z.string(),
  isp: z.string(),
  load: z.number().describe('0 to 1: the busiest relay process of the region'),
  state: z.enum(['up', 'down']),
  maintenance: z.boolean(),
});
export type Server = z.infer<typeof Server>;
export const ServerList = z.array(Server);
