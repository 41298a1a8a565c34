import { Button } from 'antd';
import type { CloudApp, Device, Lan } from '@tongtu/contract';
import { useMemo, useState } from 'react';
import { lanText } from '../../../text/devices/lan.ts';
import { momentText } from '../../../text/moment-text.ts';
import deviceStyles from '../devices.module.css';
import { SearchField } from '../search/search-field.tsx';
import { useSearchText } from '../search/use-search-text.ts';
import type { DeviceDialog } from '../device-dialog.ts';
import { HostCard } from './host-card.tsx';
import styles from './lan.module.css';
import { orderHosts, searchHosts } from './shown-hosts.ts';

const shownAtFirst = 40;

type HostListProps = {
  device: Device;
  devices: readonly Device[];
  apps: readonly CloudApp[];
  lan: Lan;
  onOpen: (dialog: DeviceDialog) => void;
};

export function HostList({ device, devices, apps, lan, onOpen }: HostListProps) {
  const text = useSearchText();
  const [shownCount, setShownCount] = useState(shownAtFirst);
  const { search } = text;
  const hosts = useMemo(() => searchHosts(orderHosts(lan.hosts), search), [lan.hosts, search]);
  const takenPrefixes = new Set(devices.flatMap((each) => each.mappings.flatMap(({ prefix }) => prefix ?? [])));
  const ownApps = apps.filter((app) => app.is_own && app.router === device.id);
  const serviceCount = lan.hosts.reduce((count, host) => count + host.services.length, 0);
  const leftCount = hosts.length - shownCount;
  return (
    <>
      <div className={styles.bar} role="search">
        <SearchField {...text} placeholder={lanText.searchPlaceholder} />
        <span>
          {lanText.counts(lan.hosts.length, serviceCount)}
          {lan.scan !== null && <> · {lanText.lastScan(momentText(lan.scan.started_at))}</>}
        </span>
      </div>
      {hosts.length === 0 ? (
        <div className={`${deviceStyles.panel} ${deviceStyles.noMatch}`} aria-live="polite">
          {lanText.noMatch}
          <Button type="link" onClick={() => text.searchFor('')}>
            {lanText.clearSearch}
          </Button>
        </div>
      ) : (
        <ul className={`${deviceStyles.panel} ${styles.hosts}`}>
          {hosts.slice(0, shownCount).map((host) => (
            <HostCard
              key={host.id}
              host={host}
              device={device}
              apps={ownApps}
              takenPrefixes={takenPrefixes}
              onOpen={onOpen}
            />
          ))}
        </ul>
      )}
      {leftCount > 0 && (
        <Button block onClick={() => setShownCount(shownCount + shownAtFirst)}>
          {lanText.showMore(leftCount)}
        </Button>
      )}
    </>
  );
}
