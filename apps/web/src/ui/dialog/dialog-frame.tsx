import { Modal, type ModalProps } from 'antd';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { createTypedText } from './typed-text.ts';
import { useDialogFocus } from './use-dialog-focus.ts';
import { useOpenDialog } from './use-open-dialog.ts';

export type DialogLook = Pick<
  ModalProps,
  | 'cancelButtonProps'
  | 'cancelText'
  | 'centered'
  | 'className'
  | 'closable'
  | 'confirmLoading'
  | 'footer'
  | 'okButtonProps'
  | 'okText'
  | 'scrollLock'
  | 'style'
  | 'styles'
  | 'title'
  | 'width'
> & {
  /** False closes the dialog with an animation; without it, unmounting closes it at once. */
  isOpen?: boolean;
  /** A click beside the dialog does nothing. */
  isMaskInert?: boolean;
  onOk?: () => void;
  children?: ReactNode;
};

type DialogFrameProps = DialogLook & {
  /** By the close button or 取消. */
  onCancel: () => void;
  /** By Escape, Back or a click beside the dialog, which also happen by accident. */
  onLeave: (hasTyped: () => boolean) => void;
  /** Replaces the comparison of the text fields. */
  hasUnsavedInput?: (() => boolean) | undefined;
};

/** A modal dialog: where the focus goes, and what closes it. */
export function DialogFrame(props: DialogFrameProps) {
  const { isOpen = true, isMaskInert = false, onCancel, onLeave, hasUnsavedInput, children, ...look } = props;
  const [typedText] = useState(createTypedText);
  const hasTyped = hasUnsavedInput ?? typedText.hasTyped;
  const leave = () => onLeave(hasTyped);
  return (
    <Modal
      {...look}
      open={isOpen}
      destroyOnHidden
      // One mechanism for all dialogs: useDialogFocus.
      focusable={{ focusTriggerAfterClose: false }}
      mask={{ closable: !isMaskInert }}
      // Escape is an event of the window, and a click beside the dialog one of its frame.
      onCancel={(event) => (event.currentTarget instanceof HTMLButtonElement ? onCancel() : leave())}
    >
      <Content typedText={typedText} hasTyped={hasTyped} onBack={look.confirmLoading === true ? ignore : leave}>
        {children}
      </Content>
    </Modal>
  );
}

/** The component library ignores the close button and Escape while an answer is awaited, so Back does as well. */
function ignore(): void {}

type ContentProps = {
  typedText: ReturnType<typeof createTypedText>;
  hasTyped: () => boolean;
  onBack: () => void;
  children: ReactNode;
};

/** Mounted while the dialog is open. */
function Content({ typedText, hasTyped, onBack, children }: ContentProps) {
  const content = useRef<HTMLDivElement>(null);
  useEffect(() => (content.current ? typedText.watch(content.current) : undefined), [typedText]);
  useDialogFocus(content);
  useOpenDialog({ onBack, hasUnsavedInput: hasTyped });
  return <div ref={content}>{children}</div>;
}
