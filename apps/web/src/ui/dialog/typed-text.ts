type TextField = HTMLInputElement | HTMLTextAreaElement;

const textTypes = new Set(['text', 'search', 'url', 'email', 'tel', 'number']);

/** Passwords and codes are typed again in seconds, so nobody is asked whether to keep them. */
function isWorthKeeping(field: TextField): boolean {
  if (field.autocomplete === 'one-time-code') return false;
  return field instanceof HTMLTextAreaElement || textTypes.has(field.type);
}

/** Notices whether a text field differs from how it was when it was first shown or focused. */
export function createTypedText() {
  const texts = new Map<TextField, string>();

  function note(field: unknown): void {
    const isText = field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement;
    if (isText && isWorthKeeping(field) && !texts.has(field)) texts.set(field, field.value);
  }

  return {
    /** Watches the fields inside of `root`. Returns the function that stops. */
    watch(root: HTMLElement): () => void {
      const onFocusIn = (event: FocusEvent) => note(event.target);
      for (const field of root.querySelectorAll('input, textarea')) note(field);
      root.addEventListener('focusin', onFocusIn);
      return () => root.removeEventListener('focusin', onFocusIn);
    },
    hasTyped: (): boolean => [...texts].some(([field, text]) => field.isConnected && field.value !== text),
  };
}
