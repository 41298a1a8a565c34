/** For consoles opened over plain http in the LAN, where browsers hide `navigator.clipboard`. */
function copyBySelection(text: string, near: HTMLElement): boolean {
  const area = document.createElement('textarea');
  area.value = text;
  area.style.cssText = 'position:fixed;opacity:0';
  // Inside the same dialog: a dialog takes the focus back from anything outside of it.
  (near.parentElement ?? document.body).append(area);
  area.select();
  const isCopied = document.execCommand('copy');
  area.remove();
  near.focus();
  return isCopied;
}

/** Copies; false when the browser does not allow it. */
export async function copyText(text: string, near: HTMLElement): Promise<boolean> {
  try {
    if (window.isSecureContext) {
      await navigator.clipboard.writeText(text);
      return true;
    }
  } catch {
    return copyBySelection(text, near); // permission refused: the older way may still be open
  }
  return copyBySelection(text, near);
}
