import { termsText } from '../../../text/login/terms.ts';
import { PlainButton } from '../../../ui/plain/plain-button.tsx';
import { PlainDialog } from '../../../ui/plain/plain-dialog.tsx';
import styles from './terms.module.css';

type TermsDialogProps = { onClose: () => void; onAgree?: () => void };

/** The terms of use. With `onAgree` the user can accept them here. */
export function TermsDialog({ onClose, onAgree }: TermsDialogProps) {
  return (
    <PlainDialog
      title={termsText.title}
      onClose={onClose}
      footer={
        <>
          <PlainButton onClick={onClose}>{termsText.close}</PlainButton>
          {onAgree && (
            <PlainButton type="primary" onClick={onAgree}>
              {termsText.agree}
            </PlainButton>
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
    </PlainDialog>
  );
}
