import { Button } from 'antd';
import type { Membership } from '@tongtu/contract';
import { useId, useState } from 'react';
import { errorText } from '../../../api/index.ts';
import { sharedWithMeText } from '../../../text/devices/shared-with-me.ts';
import { LoadFailure } from '../../../ui/page/load-failure.tsx';
import { MembershipRow } from './membership-row.tsx';
import styles from './shared-with-me.module.css';
import type { useSharedWithMe } from './use-shared-with-me.ts';

const shownAtFirst = 20;

/** The user's memberships. Shows nothing when there are none, or until they are loaded. */
export function SharedWithMe({ query }: { query: ReturnType<typeof useSharedWithMe> }) {
  const { data: memberships, error } = query;
  if (memberships !== undefined) return memberships.length > 0 && <Section memberships={memberships} />;
  if (!error) return null;
  return <LoadFailure title={sharedWithMeText.failed} text={errorText(error)} query={query} />;
}

function Section({ memberships }: { memberships: readonly Membership[] }) {
  const [isAllShown, setIsAllShown] = useState(false);
  const titleId = useId();
  const shown = isAllShown ? memberships : memberships.slice(0, shownAtFirst);
  const leftCount = memberships.length - shown.length;
  return (
    <section className={styles.panel} aria-labelledby={titleId}>
      <header className={styles.head}>
        <h2 id={titleId}>{sharedWithMeText.title}</h2>
        <p>{sharedWithMeText.hint}</p>
      </header>
      <ul className={styles.list}>
        {shown.map((membership) => (
          <MembershipRow key={membership.id} membership={membership} />
        ))}
      </ul>
      {leftCount > 0 && (
        <div className={styles.more}>
          <Button block onClick={() => setIsAllShown(true)}>
            {sharedWithMeText.showMore(leftCount)}
          </Button>
        </div>
      )}
    </section>
  );
}
