import { Alert } from 'antd';
import { errorText } from '../../api/index.ts';
import styles from './confirm.module.css';
import { isCancelled } from './is-cancelled.ts';

type ProblemProps = {
  /** The failure; null or undefined without one. */
  error: unknown;
  /** For failures of the browser, too. */
  textOf?: (error: unknown) => string;
  className?: string | undefined;
};

/** The error above a form's button. A cancellation by the user is no error. */
export function Problem({ error, textOf = errorText, className = styles.problem }: ProblemProps) {
  if (error === null || error === undefined || isCancelled(error)) return null;
  return <Alert type="error" showIcon title={textOf(error)} className={className ?? ''} />;
}
