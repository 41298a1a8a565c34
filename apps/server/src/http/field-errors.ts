import { AppError, issueText, type ErrorCode, type FieldErrors } from '@tongtu/contract';
import { z } from 'zod';

/** Parses what came from outside; failures become `request.invalid` with a Chinese sentence for each field. */
export function parseRequest<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
  code: ErrorCode = 'request.invalid',
): z.output<Schema> {
  const result = z.safeParse(schema, input, { error: issueText });
  if (result.success) return result.data;
  throw new AppError(code, { cause: result.error, fields: toFieldErrors(result.error) });
}

function toFieldErrors(error: z.ZodError): FieldErrors {
  const fields: FieldErrors = {};
  for (const issue of error.issues) {
    const path = issue.path.join('.');
    const names =
      issue.code === 'unrecognized_keys' ? issue.keys.map((key) => (path ? `${path}.${key}` : key)) : [path];
    for (const name of names) (fields[name] ??= []).push(issue.message);
  }
  return fields;
}
