import { Card } from 'antd';
import { type ReactNode, useId } from 'react';
import styles from './account.module.css';

type SectionCardProps = {
  /** The name of the section in `#/user/info?section=`. */
  name: string;
  title: string;
  intro?: string;
  /** Shown right of the title: a state, or the section's purpose. */
  extra?: ReactNode;
  children: ReactNode;
};

/** A section of the account screen, which a link can open by its name. */
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
