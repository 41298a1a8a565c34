import { useVisibleRows } from '../entries/use-visible-rows.ts';
import { UploadRow } from './upload-row.tsx';
import type { UploadQueue } from './upload-queue.ts';
import styles from './uploads.module.css';

const rowHeight = 58;
const spareRows = 2;

/** The uploads one by one. Only those in sight are in the document. */
export function UploadRows({ queue }: { queue: UploadQueue }) {
  const rows = queue.rows();
  const { scroller, first, last } = useVisibleRows({ count: rows.length, rowHeight, headHeight: 0, spareRows });
  return (
    <div ref={scroller} className={styles.list}>
      <ul style={{ height: rows.length * rowHeight }}>
        {rows.slice(first, last).map((item, offset) => (
          <UploadRow
            key={item.id}
            item={item}
            queue={queue}
            index={first + offset}
            count={rows.length}
            top={(first + offset) * rowHeight}
          />
        ))}
      </ul>
    </div>
  );
}
