import { errorCode, errorText, fieldErrors } from '../../api/index.ts';

type Message<Name extends string> = { name: Name; errors: string[] };

/** What of a failure belongs to single fields: by its own fields, or by its code. Empty when it is about none of them. */
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
