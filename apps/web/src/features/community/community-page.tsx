import { Button, Skeleton } from 'antd';
import { hasRole } from '@tongtu/contract/roles';
import { useNavigate } from 'react-router';
import { errorText, useProfile } from '../../api/index.ts';
import { paths } from '../../routing/paths.ts';
import { communityText } from '../../text/community.ts';
import { EmptyState } from '../../ui/page/empty-state.tsx';
import { LoadFailure } from '../../ui/page/load-failure.tsx';
import { CommunityCard } from '../../ui/site-entries/community-card.tsx';
import styles from './community.module.css';
import { PublicNetworks } from './public-networks.tsx';
import { useCommunity } from './use-community.ts';

/** 玩家交流: the operator's groups and links, and the networks of the user's own devices. */
export function CommunityPage() {
  const query = useCommunity();
  return (
    <div className={styles.page}>
      <h1>{communityText.title}</h1>
      {query.isPending && <Skeleton active title={false} paragraph={{ rows: 4 }} />}
      {query.data === undefined && query.error && (
        <LoadFailure title={communityText.failed} text={errorText(query.error)} query={query} />
      )}
      {query.data?.length === 0 && <NoEntries />}
      {query.data !== undefined && query.data.length > 0 && (
        <section className={styles.panel} aria-label={communityText.groups}>
          <h2>{communityText.groups}</h2>
          <ul className={styles.cards}>
            {query.data.map(({ id, qr_text: qrText, ...entry }) => (
              <li key={id}>
                <CommunityCard {...entry} qrText={qrText} />
              </li>
            ))}
          </ul>
        </section>
      )}
      {!query.isPending && <PublicNetworks />}
    </div>
  );
}

/** Only staff can add some. */
function NoEntries() {
  const profile = useProfile();
  const navigate = useNavigate();
  if (!profile) return null;
  if (!hasRole(profile, 'staff')) return <p className={styles.hint}>{communityText.none}</p>;
  return (
    <section className={styles.panel}>
      <EmptyState
        title={communityText.noneForStaff}
        text={communityText.noneForStaffHint}
        action={
          <Button type="primary" onClick={() => void navigate(paths.siteEntries)}>
            {communityText.toManage}
          </Button>
        }
      />
    </section>
  );
}
