import { Alert } from 'antd';
import { errorText } from '../../api/index.ts';
import styles from './confirm.module.css';
import { isCancelled } from './is-cancelled.ts';

type ProblemProps = {
  /** What the mutation failed with; null while it has not. */
  error: unknown;
  /** For failures that are not only the server's. */
  textOf?: (error: unknown) => string;
};

/** Why a form was refused, above its button. What the person stopped themselves is no problem. */
export function Problem({ error, textOf = errorText }: ProblemProps) {
  if (error === null || isCancelled(error)) return null;
  return <Alert type="error" showIcon title={textOf(error)} className={styles.problem ?? ''} />;
}
