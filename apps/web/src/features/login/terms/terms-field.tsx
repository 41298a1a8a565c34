import { lazy, Suspense, useId, useState } from 'react';
import { termsFieldText } from '../../../text/login/terms-field.ts';
import { PlainCheckbox } from '../../../ui/plain/plain-checkbox.tsx';
import styles from './terms.module.css';

const TermsDialog = lazy(async () => ({ default: (await import('./terms-dialog.tsx')).TermsDialog }));

/** Opens the terms. With `onAgree` the user can accept them there. */
export function TermsLink({ onAgree }: { onAgree?: () => void }) {
  const [isOpen, setIsOpen] = useState(false);
  const close = () => setIsOpen(false);
  return (
    <>
      <button type="button" className={styles.link} onClick={() => setIsOpen(true)}>
        {termsFieldText.terms}
      </button>
      {isOpen && (
        <Suspense fallback={null}>
          <TermsDialog
            onClose={close}
            {...(onAgree && {
              onAgree: () => {
                onAgree();
                close();
              },
            })}
          />
        </Suspense>
      )}
    </>
  );
}

/** Whether the user has accepted the terms. */
export function useTerms() {
  const [isAccepted, setIsAccepted] = useState(false);
  const [isMissing, setIsMissing] = useState(false);
  function accept(accepted: boolean) {
    setIsAccepted(accepted);
    if (accepted) setIsMissing(false);
  }
  /** Shows that the terms must be accepted, if they are not. */
  function check(): boolean {
    setIsMissing(!isAccepted);
    return isAccepted;
  }
  return { isAccepted, isMissing, accept, check };
}

type TermsFieldProps = { terms: ReturnType<typeof useTerms>; isDisabled: boolean };

/** A checkbox to accept the terms, with a link to them. */
export function TermsField({ terms, isDisabled }: TermsFieldProps) {
  const errorId = useId();
  return (
    <div className={styles.field}>
      <div className={styles.line}>
        <PlainCheckbox
          isChecked={terms.isAccepted}
          isDisabled={isDisabled}
          errorId={terms.isMissing ? errorId : undefined}
          onChange={terms.accept}
        >
          {termsFieldText.agree}
        </PlainCheckbox>
        {/* Beside the checkbox, not in its label: opening the terms must not tick it. */}
        <TermsLink onAgree={() => terms.accept(true)} />
      </div>
      <span id={errorId} className={styles.error} aria-live="polite">
        {terms.isMissing && termsFieldText.mustAgree}
      </span>
    </div>
  );
}
