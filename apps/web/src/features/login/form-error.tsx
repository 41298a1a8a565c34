import { errorText } from '../../api/client/error-text.ts';
import { PlainNotice } from '../../ui/plain/plain-notice.tsx';

/** A failure that concerns no single field; nothing without one. */
export function FormError({ error, textOf = errorText }: { error: unknown; textOf?: (error: unknown) => string }) {
  return error === undefined || error === null ? null : <PlainNotice type="error" text={textOf(error)} />;
}
