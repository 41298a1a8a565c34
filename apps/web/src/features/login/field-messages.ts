import { useEffect, useEffectEvent } from 'react';
import { errorCode, fieldErrors } from '../../api/client/api-error.ts';
import { errorText } from '../../api/client/error-text.ts';

type Messages<Name extends string> = Partial<Record<Name, string>>;

/** The messages for single fields, by the failure's fields or its code. Empty when it concerns none. */
function fieldMessages<Name extends string>(
  error: unknown,
  fieldOfCode: Partial<Record<string, Name>>,
  names: readonly Name[],
): Messages<Name> {
  const byCode = fieldOfCode[errorCode(error) ?? ''];
  const messages: Messages<Name> = {};
  if (byCode !== undefined) {
    messages[byCode] = errorText(error);
    return messages;
  }
  const fields = fieldErrors(error);
  for (const name of names) {
    const ofField = fields[name];
    if (ofField) messages[name] = ofField.join('；');
  }
  return messages;
}

type FieldFailure<Name extends string> = {
  error: unknown;
  fieldOfCode?: Partial<Record<string, Name>>;
  names: readonly Name[];
  report: (messages: Messages<Name>) => void;
};

/** Shows a refusal at the fields that it concerns. Returns the failure if it concerns none. */
export function useFieldMessages<Name extends string>(failure: FieldFailure<Name>): unknown {
  const { error, fieldOfCode = {}, names, report } = failure;
  const messages = fieldMessages(error, fieldOfCode, names);
  const show = useEffectEvent(() => report(messages));
  useEffect(() => show(), [error]);
  return Object.keys(messages).length > 0 ? undefined : (error ?? undefined);
}
