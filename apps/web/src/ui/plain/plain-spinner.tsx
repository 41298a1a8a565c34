import styles from './plain.module.css';

/** Something is in progress; text beside it says what. */
export function PlainSpinner() {
  return <span className={`${styles.spinner} ${styles.bigSpinner}`} aria-hidden="true" />;
}
