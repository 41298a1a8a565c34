import { z } from 'zod';
import { fieldMessage, type FieldMessage } from './field-messages.ts';
import { hasHiddenCharacters, showsSomething } from './hidden-characters.ts';
import { MAX_EMAIL_LENGTH, MAX_PAGE_OFFSET, MAX_PAGE_SIZE } from './limits.ts';

export const Id = z.number().int().positive();

const digitsRule = fieldMessage('digits.only');
const Whole = z.number(digitsRule).int(digitsRule);

/** A number of a path or a query, where all is text: decimal digits alone, not what JavaScript also reads as a number. */
function inDigits<Schema extends z.ZodType>(number: Schema) {
  return z.preprocess((text) => (typeof text === 'string' && /^\d+$/.test(text) ? Number(text) : text), number);
}

/** An id of a path or a query. The upper limit is PostgreSQL's `integer`. */
export const IdDigits = inDigits(Whole.positive().max(2_147_483_647));
export const IdParams = z.strictObject({ id: IdDigits });

/** Six digits that were sent to somebody, or that their app shows. */
export const OneTimeCode = z
  .string()
  .trim()
  .regex(/^\d{6}$/, fieldMessage('code.shape'));

/** A dot-atom of letters, digits and what providers give out (RFC 5321 §4.1.2), at a name whose labels follow RFC 1123 §2.1. */
const emailPattern =
  /^(?!\.)(?!.*\.\.)[A-Za-z0-9_'+.-]{0,63}[A-Za-z0-9_+-]@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z][A-Za-z0-9-]{0,61}[A-Za-z0-9]$/;

/** The one rule for an e-mail address that somebody gives. */
export const EmailAddress = z.email({ pattern: emailPattern }).max(MAX_EMAIL_LENGTH);

export const Timestamp = z.iso.datetime();

export const PageQuery = z.object({
  limit: inDigits(Whole.min(1).max(MAX_PAGE_SIZE).default(100)),
  offset: inDigits(Whole.min(0).max(MAX_PAGE_OFFSET).default(0)),
});

export function pageOf<Item extends z.ZodType>(item: Item) {
  return z.object({
    count: z.number().int(),
    next: z.string().nullable(),
    previous: z.string().nullable(),
    results: z.array(item),
  });
}

/** Text a person typed for a person: trimmed, without anything that is not seen. */
export function personText(maxLength: number) {
  return z
    .string()
    .trim()
    .max(maxLength)
    .refine((text) => !hasHiddenCharacters(text), fieldMessage('text.hidden'))
    .describe('without invisible characters');
}

/** A name for something: of it, something must be seen. */
export function personName(maxLength: number, missing: FieldMessage) {
  return personText(maxLength)
    .min(1, { error: missing, abort: true })
    .refine(showsSomething, missing)
    .describe('without invisible characters, and with a visible one');
}
