import { Skeleton } from 'antd';
import styles from './devices.module.css';

const cards = ['first', 'second', 'third'];

export function DeviceSkeleton() {
  return (
    <div className={styles.list} aria-busy="true">
      {cards.map((card) => (
        <div key={card} className={`${styles.panel} ${styles.skeleton}`}>
          <Skeleton active avatar={{ shape: 'square' }} paragraph={{ rows: 3 }} />
        </div>
      ))}
    </div>
  );
}
