import { errorCode, fieldErrors } from '../../api/api-error.ts';
import { errorText } from '../../api/error-text.ts';

type Message<Name extends string> = { name: Name; errors: string[] };

/** The messages for single fields, by the failure's fields or its code. Empty when it concerns none. */
export function fieldMessages<Name extends string>(
  error: unknown,
  fieldOfCode: Partial<Record<string, Name>>,
  names: readonly Name[],
): Message<Name>[] {
  const byCode = fieldOfCode[errorCode(error) ?? ''];
  if (byCode !== undefined) return [{ name: byCode, errors: [errorText(error)] }];
  const fields = fieldErrors(error);
  return names.flatMap((name) => (fields[name] ? [{ name, errors: fields[name] }] : []));
}
