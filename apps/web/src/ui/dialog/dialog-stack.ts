/** What an open dialog does for the browser. */
export type OpenDialog = {
  /** Back was pressed, or the phone's back gesture was made. The dialog may stay open. */
  onBack: () => void;
  /** True when closing the page would lose something that the user typed. */
  hasUnsavedInput: () => boolean;
};

export type DialogStack = {
  /** Adds a dialog on top. Returns the function that removes it. */
  open: (dialog: OpenDialog) => () => void;
  /**
   * For a dialog that lies over all pages, and so does not go with its own: `onLeft` is called when another one is shown.
   * Returns the function that ends the watch.
   */
  watchPage: (onLeft: () => void) => () => void;
  /** To be called after the router has changed the address. */
  noteNavigation: () => void;
  stop: () => void;
};

type Entry = { isGuard: boolean; href: string };

/**
 * Lets Back close the top dialog. While a dialog is open, the current history entry is a guard: a second entry with the
 * same address. Back leads to the entry below it, which the router does not notice.
 *
 * After a dialog was closed by other means, its guard stays, because removing it is asynchronous and could undo a
 * navigation that starts at the same time. The next dialog uses it again, and Back skips it.
 */
export function createDialogStack({ history, location }: Pick<Window, 'history' | 'location'>): DialogStack {
  const dialogs: OpenDialog[] = [];
  const watches = new Set<{ href: string; onLeft: () => void }>();
  let entry = readEntry();
  let isReturning = false;

  function readEntry(): Entry {
    const state: unknown = history.state;
    const isGuard = typeof state === 'object' && state !== null && 'isDialogGuard' in state;
    return { isGuard, href: location.href };
  }

  function ensureGuard(): void {
    entry = readEntry();
    // An entry that is added without a click or key press would let Chromium's Back skip the whole page.
    if (entry.isGuard || isReturning) return;
    history.pushState({ ...history.state, isDialogGuard: true }, '');
    entry = readEntry();
  }

  function onPopState(event: Event): void {
    const previous = entry;
    entry = readEntry();
    const isBetweenGuardAndPage = previous.isGuard !== entry.isGuard && previous.href === entry.href;
    if (!isBetweenGuardAndPage) return;
    // The router would load the same page again.
    event.stopImmediatePropagation();
    if (entry.isGuard) return;
    const top = dialogs.at(-1);
    if (top === undefined) return history.back();
    isReturning = true;
    top.onBack();
    setTimeout(returnToGuard);
  }

  /** For the dialogs that are still open after Back. */
  function returnToGuard(): void {
    isReturning = false;
    if (dialogs.length > 0 && !readEntry().isGuard) history.forward();
  }

  function onBeforeUnload(event: BeforeUnloadEvent): void {
    if (dialogs.some((dialog) => dialog.hasUnsavedInput())) event.preventDefault();
  }

  // Captures the event, so that it comes before the router.
  globalThis.addEventListener('popstate', onPopState, { capture: true });
  return {
    open(dialog) {
      // Firefox keeps no page with this listener in its back/forward cache.
      if (dialogs.length === 0) globalThis.addEventListener('beforeunload', onBeforeUnload);
      dialogs.push(dialog);
      ensureGuard();
      return () => {
        const index = dialogs.indexOf(dialog);
        if (index >= 0) dialogs.splice(index, 1);
        if (dialogs.length === 0) globalThis.removeEventListener('beforeunload', onBeforeUnload);
      };
    },
    watchPage(onLeft) {
      const watch = { href: location.href, onLeft };
      watches.add(watch);
      return () => watches.delete(watch);
    },
    noteNavigation() {
      for (const { href, onLeft } of watches) if (href !== location.href) onLeft();
      if (dialogs.length > 0) ensureGuard();
      else entry = readEntry();
    },
    stop() {
      for (const { onLeft } of watches) onLeft();
      globalThis.removeEventListener('popstate', onPopState, { capture: true });
      globalThis.removeEventListener('beforeunload', onBeforeUnload);
    },
  };
}
