import { z } from 'zod';
import { MAX_EMAIL_LENGTH, MAX_PAGE_OFFSET, MAX_PAGE_SIZE } from './limits.ts';
import { fieldMessage, type FieldMessage } from './messages/field-messages.ts';
import { hasHiddenCharacters, showsSomething } from './messages/hidden-characters.ts';

/** PostgreSQL's `integer`, which nearly all columns with numbers have. */
export const MAX_INTEGER = 2_147_483_647;

/** An id in a reply. In a request it is a GivenId. */
export const Id = z.number().int({ abort: true }).positive();

/** An id in the body of a request. */
export const GivenId = Id.max(MAX_INTEGER);

const digitsRule = fieldMessage('digits.only');
export const Whole = z.number(digitsRule).int({
  error: ({ code }) => (code === 'too_big' || code === 'too_small' ? undefined : digitsRule),
  abort: true,
});

/** A number in a path or query, which are text. Only decimal digits: JavaScript's `Number` reads more than that. */
export function inDigits<Schema extends z.ZodType>(number: Schema) {
  return z.preprocess((text) => (typeof text === 'string' && /^\d+$/.test(text) ? Number(text) : text), number);
}

/** An id in a path or query. */
export const IdDigits = inDigits(Whole.positive().max(MAX_INTEGER));
export const IdParams = z.strictObject({ id: IdDigits });

/** Six digits that were sent to the user, or that their app shows. */
export const OneTimeCode = z
  .string()
  .trim()
  .regex(/^\d{6}$/, fieldMessage('code.shape'));

/**
 * A dot-atom of letters, digits and the signs that providers allow (RFC 5321 §4.1.2), at a name with RFC 1123 §2.1
 * labels.
 */
const emailPattern =
  /^(?!\.)(?!.*\.\.)[A-Za-z0-9_'+.-]{0,63}[A-Za-z0-9_+-]@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z][A-Za-z0-9-]{0,61}[A-Za-z0-9]$/;

/** The only schema for e-mail addresses in requests. */
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

/** Text from a user for users: trimmed, without invisible characters. */
export function personText(maxLength: number) {
  return z
    .string()
    .trim()
    .max(maxLength)
    .refine((text) => !hasHiddenCharacters(text), fieldMessage('text.hidden'))
    .describe('without invisible characters');
}

/** A name. It must have a visible character. */
export function personName(maxLength: number, missing: FieldMessage) {
  return personText(maxLength)
    .min(1, { error: missing, abort: true })
    .refine(showsSomething, missing)
    .describe('without invisible characters, and with a visible one');
}
