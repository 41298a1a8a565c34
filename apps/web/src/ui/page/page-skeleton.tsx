import { Skeleton } from 'antd';
import { uiText } from '../ui-text.ts';
import styles from '../ui.module.css';

/** Specification §9: 30 animated rows. */
const skeletonRows = 30;

export function PageSkeleton() {
  return (
    <div className={styles.skeleton} aria-busy="true" aria-label={uiText.loading} role="status">
      <Skeleton active title={false} paragraph={{ rows: skeletonRows }} />
    </div>
  );
}
