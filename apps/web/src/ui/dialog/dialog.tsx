import { useState } from 'react';
import { uiText } from '../ui-text.ts';
import { DialogFrame, type DialogLook } from './dialog-frame.tsx';
import { Question } from './question.tsx';

type DialogProps = DialogLook & {
  /** Absent: only the dialog's own buttons close it, not Escape and not Back. */
  onClose?: () => void;
  /** For forms of more than text fields. By default the dialog notices itself what was typed into those. */
  hasUnsavedInput?: () => boolean;
};

/** `hasUnsavedInput` of dialogs whose fields only confirm something. */
export const nothingToKeep = () => false;

/**
 * Every dialog of the console. The focus goes to its first field, stays inside, and returns to what opened it. Escape,
 * Back and a click beside it close it, but ask first if something typed would be lost.
 */
export function Dialog({ onClose, children, ...frame }: DialogProps) {
  const [isAsking, setIsAsking] = useState(false);

  function leave(hasTyped: () => boolean) {
    if (onClose && hasTyped()) setIsAsking(true);
    else onClose?.();
  }

  return (
    <DialogFrame
      {...frame}
      {...(onClose ? {} : { closable: false, isMaskInert: true })}
      onCancel={() => onClose?.()}
      onLeave={leave}
    >
      {children}
      {isAsking && onClose && (
        <Question
          title={uiText.discardTitle}
          text={uiText.discardText}
          confirm={uiText.discard}
          cancel={uiText.keepEditing}
          onConfirm={onClose}
          onClose={() => setIsAsking(false)}
        />
      )}
    </DialogFrame>
  );
}
