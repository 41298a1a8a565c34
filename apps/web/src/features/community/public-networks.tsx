import { Skeleton } from 'antd';
import type { PublicNetwork } from '@tongtu/contract';
import { errorText } from '../../api/index.ts';
import { communityText } from '../../text/community.ts';
import { momentText } from '../../text/moment-text.ts';
import { Mono } from '../../ui/mono.tsx';
import { LoadFailure } from '../../ui/page/load-failure.tsx';
import { StateTag } from '../../ui/state-tag.tsx';
import styles from './community.module.css';
import { usePublicNetworks } from './use-community.ts';

/** 我的公网 IP. */
export function PublicNetworks() {
  const query = usePublicNetworks();
  const { data: networks, error } = query;
  return (
    <section className={styles.panel} aria-label={communityText.networks}>
      <h2>{communityText.networks}</h2>
      <p className={styles.hint}>{communityText.networksHint}</p>
      {query.isPending && <Skeleton active title={false} paragraph={{ rows: 3 }} />}
      {networks === undefined && error && (
        <LoadFailure title={communityText.networksFailed} text={errorText(error)} query={query} />
      )}
      {networks?.length === 0 && <p className={styles.hint}>{communityText.noNetworks}</p>}
      <ul className={styles.networks}>
        {networks?.map((network) => (
          <Network key={network.network} {...network} />
        ))}
      </ul>
    </section>
  );
}

function Network({ network, devices, visitors }: PublicNetwork) {
  return (
    <li className={styles.network} aria-label={network}>
      <h3>
        <Mono>{network}</Mono>
      </h3>
      <h4>{communityText.devices}</h4>
      <ul className={styles.lines}>
        {devices.map(({ id, name, public_ip: publicIp, online }) => (
          <li key={id}>
            <span>{name}</span>
            <StateTag tone={online ? 'good' : 'muted'}>
              {online ? communityText.online : communityText.offline}
            </StateTag>
            {publicIp !== network && <Mono>{publicIp}</Mono>}
          </li>
        ))}
      </ul>
      <h4>{communityText.visitors}</h4>
      {visitors.length === 0 && <p className={styles.hint}>{communityText.noVisitors}</p>}
      <ul className={styles.lines}>
        {visitors.map(({ address, who, host, last_at: at }) => (
          <li key={`${address} ${who} ${host}`}>
            <span>{who === '' ? communityText.unknownVisitor : who}</span>
            <span className={styles.hint}>{communityText.visited(host, momentText(at))}</span>
            {address !== network && <Mono>{address}</Mono>}
          </li>
        ))}
      </ul>
    </li>
  );
}
