import type { AlertFailure, AlertKind } from '@tongtu/contract';
import { alertFailureText } from '../../../text/account/alerts.ts';

/** Why a delivery failed, and what the user can do. */
export function failureSentence(kind: AlertKind, why: AlertFailure): string {
  const remedy = why === 'rejected' ? alertFailureText.rejected[kind] : alertFailureText.remedy[why];
  return `${alertFailureText.why[why]}。${remedy}`;
}
