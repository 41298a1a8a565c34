import { Alert } from 'antd';
import { errorText } from '../../api/index.ts';
import styles from './login.module.css';

/** A failure that concerns no single field. */
export function FormError({ error }: { error: unknown }) {
  return <Alert type="error" showIcon title={errorText(error)} className={styles.error ?? ''} />;
}
