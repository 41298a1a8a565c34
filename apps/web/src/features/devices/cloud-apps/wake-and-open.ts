import type { CloudApp } from '@tongtu/contract';
import { wakePath } from '../../../routing/paths.ts';
import { noteWakeIntent } from '../../../routing/wake-intent.ts';

/** Whether the app can be opened after its host was woken. */
export function canWakeAndOpen({ kind, options, enabled }: CloudApp): boolean {
  return kind !== 'wol' && options.mac !== '' && enabled;
}

/** Opens the page that wakes the host at once and then shows the app. */
export function wakeAndOpen({ id }: CloudApp): void {
  noteWakeIntent(id);
  window.open(`#${wakePath(id)}`, '_blank', 'noopener');
}
