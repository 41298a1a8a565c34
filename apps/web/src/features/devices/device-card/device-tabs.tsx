import { PlusOutlined } from '@ant-design/icons';
import { Button, Skeleton } from 'antd';
import type { CloudApp, Device } from '@tongtu/contract';
import { lazy, Suspense, use, useId, useState } from 'react';
import { appKinds } from '@tongtu/contract/app-kinds';
import { cloudAppsText } from '../../../text/cloud-apps/cloud-apps.ts';
import { devicesText } from '../../../text/devices/devices.ts';
import { TabList } from '../../../ui/plain/tab-list.tsx';
import { appsOfDevice, useScreensCloudApps } from '../cloud-apps/use-cloud-apps.ts';
import styles from '../devices.module.css';
import { SearchedPattern } from '../search/marked.tsx';
import { matchesApp, matchesMapping } from '../select-devices.ts';
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
  const pattern = use(SearchedPattern);
  const [choice, setChoice] = useState<{ tab: Tab; pattern: RegExp | undefined }>();
  const id = useId();
  const cloudApps = useScreensCloudApps();
  const apps = appsOfDevice(cloudApps?.data, device.id);
  // What the user has chosen counts until the next search.
  const tab = choice !== undefined && choice.pattern === pattern ? choice.tab : tabOfMatch(device, apps, pattern);
  const appsIn = (group: (typeof groups)[number]) => apps.filter(({ kind }) => appKinds[kind].group === group);
  const isManagedByFrpc = device.program === 'frpc-toml';
  const tabs = [
    { key: 'mappings' as const, word: devicesText.mappings, count: device.mappings.length },
    // What a frpc.toml does not name cannot be reached.
    ...(isManagedByFrpc ? [] : groups).map((group) => ({
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
          onChoose={(chosen) => setChoice({ tab: chosen, pattern })}
          classNames={{ list: styles.tabs, tab: styles.tab }}
        />
        {!isManagedByFrpc && (
          <Button size="small" type="link" icon={<PlusOutlined />} aria-label={addWords[tab]} onClick={add}>
            <span className={styles.addWord}>{addWords[tab]}</span>
          </Button>
        )}
      </div>
      <div role="tabpanel" id={`${id}-${tab}-panel`} aria-labelledby={`${id}-${tab}`}>
        {tab === 'mappings' ? (
          <DeviceMappings {...props} />
        ) : (
          <Suspense
            fallback={<Skeleton active title={false} paragraph={{ rows: 2 }} className={styles.skeleton ?? ''} />}
          >
            <AppList
              device={device}
              group={tab}
              apps={matching(appsIn(tab), pattern)}
              query={cloudApps}
              onOpen={onOpen}
            />
          </Suspense>
        )}
      </div>
    </div>
  );
}

/** The first tab that has something of the search. */
function tabOfMatch(device: Device, apps: readonly CloudApp[], pattern: RegExp | undefined): Tab {
  if (pattern === undefined || device.mappings.some((mapping) => matchesMapping(mapping, pattern))) return 'mappings';
  const found = apps.find((app) => matchesApp(app, pattern));
  return found === undefined ? 'mappings' : appKinds[found.kind].group;
}

/** Only those that match, unless none does: then the device itself was found. */
function matching(apps: readonly CloudApp[], pattern: RegExp | undefined): readonly CloudApp[] {
  const found = pattern === undefined ? [] : apps.filter((app) => matchesApp(app, pattern));
  return found.length > 0 ? found : apps;
}
