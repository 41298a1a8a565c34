/** For consoles over plain http, where browsers hide `navigator.clipboard`. */
function copyBySelection(text: string, near: HTMLElement): boolean {
  const area = document.createElement('textarea');
  area.value = text;
  area.style.cssText = 'position:fixed;opacity:0';
  // Inside the same dialog, because a dialog takes the focus back from elements outside of it.
  (near.parentElement ?? document.body).append(area);
  area.select();
  const isCopied = document.execCommand('copy');
  area.remove();
  near.focus();
  return isCopied;
}

/** Copies the text. Returns false when the browser does not allow it. */
export async function copyText(text: string, near: HTMLElement): Promise<boolean> {
  try {
    if (window.isSecureContext) {
      await navigator.clipboard.writeText(text);
      return true;
    }
  } catch {
    return copyBySelection(text, near); // permission refused: the older method may still work
  }
  return copyBySelection(text, near);
}
