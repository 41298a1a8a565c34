import { type RefObject, useEffect, useState } from 'react';

/** For each open dialog, where the focus returns to: the element that opened it, else what opened that one's dialog. */
const returnTargets = new WeakMap<Element, readonly HTMLElement[]>();

const dialogSelector = '[role=dialog]';
const fieldSelector = ['input', 'textarea', 'select']
  .map((name) => `${name}:not([type=hidden], [hidden], [disabled], [readonly], [tabindex="-1"])`)
  .join();

/** The attribute of the element that is focused first in a dialog without fields, such as its only button. */
export const initialFocus = { 'data-initial-focus': 'true' };

function findReturnTargets(): readonly HTMLElement[] {
  const { activeElement } = document;
  if (!(activeElement instanceof HTMLElement) || activeElement === document.body) return [];
  const dialog = activeElement.closest(dialogSelector);
  return [activeElement, ...((dialog && returnTargets.get(dialog)) ?? [])];
}

function findFirst(dialog: HTMLElement): HTMLElement {
  const marked = dialog.querySelector<HTMLElement>('[data-initial-focus]');
  const field = dialog.querySelector<HTMLInputElement>(fieldSelector);
  if (marked || field?.type !== 'radio') return marked ?? field ?? findSelect(dialog) ?? dialog;
  const radios = [...dialog.querySelectorAll<HTMLInputElement>('input[type=radio]')];
  return radios.find(({ name, checked }) => name === field.name && checked) ?? field;
}

/** Where nothing is typed into. The component library's select has a field that cannot be written. */
function findSelect(dialog: HTMLElement): HTMLElement | null {
  return dialog.querySelector<HTMLElement>('input[role=combobox]:not([disabled])');
}

const tabStopSelector = 'a[href], button, input, textarea, select, [tabindex]';

function findTabStops(dialog: HTMLElement): HTMLElement[] {
  return [...dialog.querySelectorAll<HTMLElement>(tabStopSelector)].filter(
    (element) => element.tabIndex >= 0 && !element.matches(':disabled') && element.checkVisibility(),
  );
}

/** Tab wraps around at the ends of the dialog. The component library only brings a focus back that has left. */
function keepTabInside(event: KeyboardEvent): void {
  const dialog = event.currentTarget;
  if (event.key !== 'Tab' || event.defaultPrevented || !(dialog instanceof HTMLElement)) return;
  const stops = findTabStops(dialog);
  const [first, last] = [stops[0], stops.at(-1)];
  const { activeElement } = document;
  const isAtEnd = event.shiftKey ? activeElement === first || activeElement === dialog : activeElement === last;
  if (!isAtEnd) return;
  event.preventDefault();
  (event.shiftKey ? last : first)?.focus();
}

/**
 * Moves the focus to the dialog's first field, or to the dialog itself if it has none, keeps it inside, and returns it
 * to what opened the dialog after closing. `content` is anything inside of the dialog.
 */
export function useDialogFocus(content: RefObject<HTMLElement | null>): void {
  // While rendering, because a field with `autoFocus` takes the focus before any effect.
  const [targetsAtFirst] = useState(findReturnTargets);
  useEffect(() => {
    const dialog = content.current?.closest<HTMLElement>(dialogSelector);
    if (!dialog) return undefined;
    // A dialog that this one replaces has given the focus back meanwhile.
    const isElsewhere = !dialog.contains(document.activeElement);
    const targets = [...(isElsewhere ? findReturnTargets() : []), ...targetsAtFirst];
    returnTargets.set(dialog, targets);
    // Before the component library, which would focus the close button.
    if (isElsewhere) findFirst(dialog).focus({ preventScroll: true });
    dialog.addEventListener('keydown', keepTabInside);
    return () => {
      dialog.removeEventListener('keydown', keepTabInside);
      const { activeElement } = document;
      const isLost = activeElement === null || activeElement === document.body || dialog.contains(activeElement);
      if (isLost) targets.find((target) => target.isConnected)?.focus({ preventScroll: true });
    };
  }, [content, targetsAtFirst]);
}
