/**
 * Where pop-ups of an element are drawn: in its dialog or landmark, so that a screen reader that walks through those
 * finds them there. Dialogs themselves have no such element.
 */
export function popupContainer(element?: HTMLElement): HTMLElement {
  return element?.closest<HTMLElement>('[role=dialog], main, header, nav') ?? document.body;
}
