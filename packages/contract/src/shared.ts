import { z } from 'zod';

export const Id = z.number().int().positive();

/** A path parameter: ids arrive as text. The upper limit is PostgreSQL's `integer`. */
export const IdParams = z.strictObject({ id: z.coerce.number().int().positive().max(2_147_483_647) });

export const Timestamp = z.iso.datetime();

export const PageQuery = z.object({
  limit: z.coerce.number().int().min(1).max(500).default(100),
  offset: z.coerce.number().int().min(0).max(1_000_000).default(0),
});

export function pageOf<Item extends z.ZodType>(item: Item) {
  return z.object({
    count: z.number().int(),
    next: z.string().nullable(),
    previous: z.string().nullable(),
    results: z.array(item),
  });
}

/** Text a person typed for a person: trimmed, without control characters. */
export function personText(maxLength: number) {
  return z
    .string()
    .trim()
    .max(maxLength, `不能超过 ${maxLength} 个字`)
    .regex(/^\P{Cc}*$/u, '不能包含控制字符');
}
