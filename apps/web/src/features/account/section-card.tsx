import { Card } from 'antd';
import { type ReactNode, useId } from 'react';
import styles from './account.module.css';

type SectionCardProps = {
  /** What `#/user/info?section=` calls it. */
  name: string;
  title: string;
  intro?: string;
  /** Right of the title: a state, or what the section is for. */
  extra?: ReactNode;
  children: ReactNode;
};

/** One part of the account's page, reachable by its name. */
export function SectionCard({ name, title, intro, extra, children }: SectionCardProps) {
  const headingId = useId();
  return (
    <section data-section={name} aria-labelledby={headingId} tabIndex={-1} className={styles.section}>
      <Card
        title={
          <h2 id={headingId} className={styles.sectionTitle}>
            {title}
          </h2>
        }
        extra={extra}
      >
        {intro !== undefined && <p className={styles.intro}>{intro}</p>}
        {children}
      </Card>
    </section>
  );
}
