import type { ReactNode } from 'react';
import styles from './add-device.module.css';

type StepsProps = {
  steps: readonly string[];
  /** Where to click in somebody else's interface. */
  drawing?: ReactNode;
  children: ReactNode;
};

/** What to do, one after the other, and what to copy for it. */
export function Steps({ steps, drawing, children }: StepsProps) {
  return (
    <>
      <ol className={styles.steps}>
        {steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      {drawing}
      {children}
    </>
  );
}
