/**
 * Where pop-ups of an element are drawn: in its dialog or landmark, so that a screen reader that walks through those
 * finds them there. Dialogs themselves have no such element. A modal dialog takes clicks only inside its container.
 */
export function popupContainer(element?: HTMLElement): HTMLElement {
  return element?.closest<HTMLElement>('.ant-modal-container, [role=dialog], main, header, nav') ?? document.body;
}
