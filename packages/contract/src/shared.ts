import { z } from 'zod';

export const Id = z.number().int().positive();

const digitsRule = '只能填写数字 0 到 9';
const Whole = z.number(digitsRule).int(digitsRule);

/** A number of a path or a query, where all is text: decimal digits alone, not what JavaScript also reads as a number. */
function inDigits<Schema extends z.ZodType>(number: Schema) {
  return z.preprocess((text) => (typeof text === 'string' && /^\d+$/.test(text) ? Number(text) : text), number);
}

/** An id of a path or a query. The upper limit is PostgreSQL's `integer`. */
export const IdDigits = inDigits(Whole.positive().max(2_147_483_647));
export const IdParams = z.strictObject({ id: IdDigits });

export const Timestamp = z.iso.datetime();

export const PageQuery = z.object({
  limit: inDigits(Whole.min(1).max(500).default(100)),
  offset: inDigits(Whole.min(0).max(1_000_000).default(0)),
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
