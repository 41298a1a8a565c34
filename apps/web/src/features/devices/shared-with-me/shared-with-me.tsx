import { Button } from 'antd';
import type { CloudApp, Membership } from '@tongtu/contract';
import { lazy, Suspense, useId, useState } from 'react';
import { errorText } from '../../../api/index.ts';
import { sharedWithMeText } from '../../../text/devices/shared-with-me.ts';
import { LoadFailure } from '../../../ui/page/load-failure.tsx';
import type { DeviceDialog } from '../device-dialog.ts';
import { MembershipRow } from './membership-row.tsx';
import deviceStyles from '../devices.module.css';
import styles from './shared-with-me.module.css';
import type { useSharedWithMe } from './use-shared-with-me.ts';

/** Loaded on demand, because most users have none. */
const SharedApps = lazy(async () => ({ default: (await import('../cloud-apps/shared-apps.tsx')).SharedApps }));

const shownAtFirst = 20;

type SharedWithMeProps = {
  query: ReturnType<typeof useSharedWithMe>;
  apps: readonly CloudApp[];
  onOpen: (dialog: DeviceDialog) => void;
};

/** What others share with the user: addresses and apps. Shows nothing when there are none, or until they are loaded. */
export function SharedWithMe({ query, apps, onOpen }: SharedWithMeProps) {
  const { data: memberships = [], error } = query;
  const isSomething = memberships.length + apps.length > 0;
  return (
    <>
      {error && query.data === undefined && (
        <LoadFailure title={sharedWithMeText.failed} text={errorText(error)} query={query} />
      )}
      {isSomething && <Section memberships={memberships} apps={apps} onOpen={onOpen} />}
    </>
  );
}

type SectionProps = Pick<SharedWithMeProps, 'apps' | 'onOpen'> & { memberships: readonly Membership[] };

function Section({ memberships, apps, onOpen }: SectionProps) {
  const [isAllShown, setIsAllShown] = useState(false);
  const titleId = useId();
  const shown = isAllShown ? memberships : memberships.slice(0, shownAtFirst);
  const leftCount = memberships.length - shown.length;
  return (
    <section className={deviceStyles.panel} aria-labelledby={titleId}>
      <header className={styles.head}>
        <h2 id={titleId}>{sharedWithMeText.title}</h2>
        <p>{sharedWithMeText.hint}</p>
      </header>
      {apps.length > 0 && (
        <Suspense fallback={null}>
          <SharedApps apps={apps} onOpen={onOpen} />
        </Suspense>
      )}
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
