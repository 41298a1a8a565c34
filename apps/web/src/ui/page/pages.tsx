import { Pagination } from 'antd';
import styles from '../ui.module.css';

type PagesProps = {
  label: string;
  page: number;
  pageSize: number;
  /** Of all entries; undefined until loaded. */
  count: number | undefined;
  onChange: (page: number) => void;
};

/** The links to the pages of a list. Nothing when one page shows everything. */
export function Pages({ label, page, pageSize, count = 0, onChange }: PagesProps) {
  if (count <= pageSize) return null;
  return (
    <nav className={styles.pages} aria-label={label}>
      <Pagination
        current={page}
        pageSize={pageSize}
        total={count}
        showSizeChanger={false}
        responsive
        onChange={onChange}
      />
    </nav>
  );
}
