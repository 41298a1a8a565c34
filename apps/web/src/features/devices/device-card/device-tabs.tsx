import { PlusOutlined } from '@ant-design/icons';
import { Button, Skeleton } from 'antd';
import { lazy, Suspense, useId, useState } from 'react';
import { appKinds } from '@tongtu/contract/app-kinds';
import { cloudAppsText } from '../../../text/cloud-apps/cloud-apps.ts';
import { devicesText } from '../../../text/devices/devices.ts';
import { TabList } from '../../../ui/plain/tab-list.tsx';
import { appsOfDevice, useScreensCloudApps } from '../cloud-apps/use-cloud-apps.ts';
import styles from '../devices.module.css';
import { DeviceMappings, type DeviceMappingsProps } from './device-mappings.tsx';

/** Loaded on demand, because the tab that is shown first has none. */
const AppList = lazy(async () => ({ default: (await import('../cloud-apps/app-list.tsx')).AppList }));

const groups = ['app', 'files'] as const;
type Tab = 'mappings' | (typeof groups)[number];

const addWords: Record<Tab, string> = { mappings: devicesText.addMapping, ...cloudAppsText.add };

export type DeviceTabsProps = DeviceMappingsProps;

/** What a device makes reachable: its mappings, and the apps that open in the browser. */
export function DeviceTabs(props: DeviceTabsProps) {
  const { device, onOpen } = props;
  const [tab, setTab] = useState<Tab>('mappings');
  const id = useId();
  const cloudApps = useScreensCloudApps();
  const apps = appsOfDevice(cloudApps?.data, device.id);
  const appsIn = (group: (typeof groups)[number]) => apps.filter(({ kind }) => appKinds[kind].group === group);
  const tabs = [
    { key: 'mappings' as const, word: devicesText.mappings, count: device.mappings.length },
    ...groups.map((group) => ({
      key: group,
      word: cloudAppsText.groups[group],
      count: cloudApps?.data && appsIn(group).length,
    })),
  ];
  const add = () =>
    onOpen(tab === 'mappings' ? { type: 'create-mapping', device } : { type: 'create-app', device, group: tab });
  return (
    <div className={styles.mappings}>
      <div className={styles.mappingsHead}>
        <TabList
          id={id}
          label={cloudAppsText.tabsLabel(device.name)}
          tabs={tabs.map(({ key, word, count }) => ({
            key,
            label: (
              <>
                {word}
                {count !== undefined && <small>{count}</small>}
              </>
            ),
          }))}
          chosen={tab}
          onChoose={setTab}
          classNames={{ list: styles.tabs, tab: styles.tab }}
        />
        <Button size="small" type="link" icon={<PlusOutlined />} aria-label={addWords[tab]} onClick={add}>
          <span className={styles.addWord}>{addWords[tab]}</span>
        </Button>
      </div>
      <div role="tabpanel" id={`${id}-${tab}-panel`} aria-labelledby={`${id}-${tab}`}>
        {tab === 'mappings' ? (
          <DeviceMappings {...props} />
        ) : (
          <Suspense
            fallback={<Skeleton active title={false} paragraph={{ rows: 2 }} className={styles.skeleton ?? ''} />}
          >
            <AppList group={tab} apps={appsIn(tab)} query={cloudApps} onOpen={onOpen} />
          </Suspense>
        )}
      </div>
    </div>
  );
}
