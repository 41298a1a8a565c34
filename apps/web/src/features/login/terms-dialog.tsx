import { Button } from 'antd';
import { termsText } from '../../text/terms.ts';
import styles from './login.module.css';
import { Dialog } from '../../ui/dialog/dialog.tsx';

type TermsDialogProps = { isOpen: boolean; onClose: () => void; onAgree?: () => void };

/** The terms of use. With `onAgree` the user can accept them here. */
export function TermsDialog({ isOpen, onClose, onAgree }: TermsDialogProps) {
  return (
    <Dialog
      isOpen={isOpen}
      title={termsText.title}
      onClose={onClose}
      style={{ maxWidth: 'calc(100vw - 24px)' }}
      footer={
        <>
          <Button onClick={onClose}>{termsText.close}</Button>
          {onAgree && (
            <Button type="primary" onClick={onAgree}>
              {termsText.agree}
            </Button>
          )}
        </>
      }
    >
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a long text is scrolled by keyboard */}
      <div className={styles.terms} tabIndex={0}>
        {termsText.paragraphs.map(({ title, text }) => (
          <section key={title}>
            <h3>{title}</h3>
            <p>{text}</p>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
