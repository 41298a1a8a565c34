import type { ErrorCode, FieldErrors, LocalizedText } from '@tongtu/contract';
import { AppError } from '@tongtu/contract/errors';
import { fieldMessages, isFieldMessage } from '@tongtu/contract/field-messages';
import { issueText } from '@tongtu/contract/issue-text';
import { z } from 'zod';

/** More do not help, and a client could send thousands of unknown ones. */
const MAX_NAMED_FIELDS = 50;

/** Parses input from outside. Throws `request.invalid`, or `code`, with a sentence for each field. */
export function parseRequest<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
  code: ErrorCode = 'request.invalid',
): z.output<Schema> {
  // A message of zod is one string. It is used as a key of the contract's field messages, or of the general texts below.
  const generalTexts = new Map<string, LocalizedText>();
  const error = (issue: z.core.$ZodRawIssue): string => {
    const text = issueText(issue);
    generalTexts.set(text.zh, text);
    return text.zh;
  };
  const result = z.safeParse(schema, input, { error });
  if (result.success) return result.data;
  const textOf = (message: string): LocalizedText =>
    isFieldMessage(message) ? fieldMessages[message] : (generalTexts.get(message) ?? { zh: message, en: message });
  throw new AppError(code, { cause: result.error, fields: toFieldErrors(result.error, textOf) });
}

function toFieldErrors(error: z.ZodError, textOf: (message: string) => LocalizedText): FieldErrors {
  // Names come from outside, so one may be `__proto__` or `toString`.
  const fields = new Map<string, LocalizedText[]>();
  for (const issue of error.issues) {
    const path = issue.path.join('.');
    const names =
      issue.code === 'unrecognized_keys'
        ? issue.keys.slice(0, MAX_NAMED_FIELDS).map((key) => (path ? `${path}.${key}` : key))
        : [path];
    for (const name of names) {
      if (fields.size >= MAX_NAMED_FIELDS && !fields.has(name)) continue;
      const texts = fields.get(name) ?? [];
      texts.push(textOf(issue.message));
      fields.set(name, texts);
    }
  }
  return Object.fromEntries(fields);
}
