import { createContext, use, useEffect, useEffectEvent } from 'react';
import type { DialogStack, OpenDialog } from './dialog-stack.ts';

const DialogStackContext = createContext<DialogStack | undefined>(undefined);

/** Gives the dialogs below it the browser's Back. */
export const DialogStackProvider = DialogStackContext;

/** Makes Back close this dialog, as long as the calling component is mounted. */
export function useOpenDialog(dialog: OpenDialog): void {
  const stack = use(DialogStackContext);
  const onBack = useEffectEvent(dialog.onBack);
  const hasUnsavedInput = useEffectEvent(dialog.hasUnsavedInput);
  useEffect(() => stack?.open({ onBack: () => onBack(), hasUnsavedInput: () => hasUnsavedInput() }), [stack]);
}

/** For a component that lies over all pages: reports when another one is shown. */
export function usePageLeft(onLeft: () => void): void {
  const stack = use(DialogStackContext);
  const report = useEffectEvent(onLeft);
  useEffect(() => stack?.watchPage(() => report()), [stack]);
}
