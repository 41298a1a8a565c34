import { z } from 'zod';
import { Id } from './shared.ts';

/** Specification §3, "Announcement". */
export const Announcement = z.object({
  id: Id,
  title: z.string(),
  detail: z.string(),
  url: z.string().describe('empty: no link'),
  display: z.boolean(),
});
export type Announcement = z.infer<typeof Announcement>;
export const AnnouncementList = z.array(Announcement);
