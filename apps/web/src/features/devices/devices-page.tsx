import { AppstoreOutlined, HddOutlined, PlusOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import type { Device, Membership } from '@tongtu/contract';
import { lazy, Suspense, useEffect, useEffectEvent, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { errorText, useDevices } from '../../api/index.ts';
import { paths, withQuery } from '../../paths.ts';
import { devicesText } from '../../text/devices.ts';
import { launcherText } from '../../text/launcher.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LoadFailure } from '../../ui/load-failure.tsx';
import { type DeviceDialog, DeviceDialogs } from './device-dialogs.tsx';
import { DeviceList } from './device-list.tsx';
import { DeviceSkeleton } from './device-skeleton.tsx';
import { DeviceSummary } from './device-summary.tsx';
import styles from './devices.module.css';
import { useShownFirstSteps } from './first-steps/use-first-steps.ts';
import { HostWarning } from './host-warning.tsx';
import { mappingName } from './mapping-address.ts';
import { SavedMappingProvider, useMarkSavedMapping } from './saved-mapping.ts';
import { ServerRow } from './server-row.tsx';
import { SharedWithMe } from './shared-with-me/shared-with-me.tsx';
import { useSharedWithMe } from './shared-with-me/use-shared-with-me.ts';

/** Loaded on demand, because most visits do not show these. */
const AccessRequests = lazy(async () => ({
  default: (await import('./access-requests/access-requests.tsx')).AccessRequests,
}));
const FirstStepsCard = lazy(async () => ({
  default: (await import('./first-steps/first-steps-card.tsx')).FirstStepsCard,
}));
const Launcher = lazy(async () => ({ default: (await import('./launcher/launcher.tsx')).Launcher }));

type ContentProps = { devices: readonly Device[]; onOpen: (dialog: DeviceDialog) => void };

function Content({ devices, onOpen, hasFirstSteps }: ContentProps & { hasFirstSteps: boolean }) {
  const [search] = useSearchParams();
  const domain = search.get('domain') ?? '';
  if (devices.length === 0) {
    return (
      <section className={styles.panel}>
        <EmptyState
          title={devicesText.emptyTitle}
          text={devicesText.emptyText}
          action={<AddDeviceButton onOpen={onOpen} />}
        />
      </section>
    );
  }
  return (
    <>
      {!hasFirstSteps && <DeviceSummary devices={devices} />}
      <DeviceList devices={devices} highlightedDomain={domain} onOpen={onOpen} />
    </>
  );
}

function AddDeviceButton({ onOpen }: Pick<ContentProps, 'onOpen'>) {
  return (
    <Button type="primary" icon={<PlusOutlined />} onClick={() => onOpen({ type: 'add-device' })}>
      {devicesText.addDevice}
    </Button>
  );
}

/** Removes a parameter from the URL. Its dialog opens only after that, because Back would otherwise open it again. */
function useTakenParameter(name: string): string | undefined {
  const [search, setSearch] = useSearchParams();
  const [taken, setTaken] = useState<string>();
  const value = search.get(name);
  if (value !== null && value !== taken) setTaken(value);
  useEffect(() => {
    if (value === null) return;
    setSearch(
      (query) => {
        query.delete(name);
        return query;
      },
      { replace: true },
    );
  }, [name, value, setSearch]);
  return value === null ? taken : undefined;
}

/** `?domain=…&check=1`: opens the connection test of that mapping once. */
function useWantedTest(devices: readonly Device[] | undefined, onOpen: ContentProps['onOpen']): void {
  const [search] = useSearchParams();
  const domain = search.get('domain');
  const isWanted = useTakenParameter('check') === '1' && devices !== undefined;
  const openTest = useEffectEvent(() => {
    for (const device of devices ?? []) {
      const mapping = device.mappings.find((each) => mappingName(each) === domain);
      if (mapping) onOpen({ type: 'test', device, mapping });
    }
  });
  useEffect(() => {
    if (isWanted) openTest();
  }, [isWanted]);
}

/** `?bind=…`: opens the dialog that adds the device of this link once. */
function useWantedBinding(onOpen: ContentProps['onOpen']): void {
  const code = useTakenParameter('bind');
  useEffect(() => {
    if (code !== undefined) onOpen({ type: 'bind-device', code });
  }, [code, onOpen]);
}

type View = 'launcher' | 'manage';

/** The view is part of the URL. A user without devices who is a member of a mapping sees the launcher first. */
function useView(devices: readonly Device[] | undefined, memberships: readonly Membership[] | undefined): View {
  const [search] = useSearchParams();
  const view = search.get('view');
  if (view !== null) return view === 'launcher' ? 'launcher' : 'manage';
  return devices?.length === 0 && memberships !== undefined && memberships.length > 0 ? 'launcher' : 'manage';
}

function ViewLink({ to }: { to: View }) {
  const navigate = useNavigate();
  return (
    <Button
      icon={to === 'launcher' ? <AppstoreOutlined /> : <HddOutlined />}
      onClick={() => void navigate(withQuery(paths.devices, { view: to }))}
    >
      {to === 'launcher' ? launcherText.title : launcherText.manage}
    </Button>
  );
}

export function DevicesPage() {
  const query = useDevices();
  const { data: devices, error } = query;
  const sharedWithMe = useSharedWithMe();
  const memberships = sharedWithMe.data;
  const view = useView(devices, memberships);
  const firstSteps = useShownFirstSteps();
  const [dialog, setDialog] = useState<DeviceDialog>();
  const savedMapping = useMarkSavedMapping();
  useWantedTest(devices, setDialog);
  useWantedBinding(setDialog);
  // The memberships decide which view a user without devices sees.
  const isKnown = devices !== undefined && (devices.length > 0 || memberships !== undefined || sharedWithMe.isError);
  const hasSomething = isKnown && (devices.length > 0 || (memberships !== undefined && memberships.length > 0));
  return (
    <SavedMappingProvider value={savedMapping}>
      <div className={styles.page}>
        <div className={styles.pageHead}>
          <h1>{view === 'launcher' ? launcherText.title : devicesText.title}</h1>
          <span className={styles.pageActions}>
            {hasSomething && <ViewLink to={view === 'launcher' ? 'manage' : 'launcher'} />}
            {view === 'manage' && devices !== undefined && devices.length > 0 && <AddDeviceButton onOpen={setDialog} />}
          </span>
        </div>
        {view === 'manage' && (
          <>
            <HostWarning />
            <ServerRow />
            <Suspense fallback={null}>
              <AccessRequests />
            </Suspense>
          </>
        )}
        {error && devices === undefined && (
          <LoadFailure title={devicesText.failed} text={errorText(error)} query={query} />
        )}
        {!error && !isKnown && <DeviceSkeleton />}
        {isKnown && view === 'launcher' && (
          <Suspense fallback={<DeviceSkeleton />}>
            <Launcher devices={devices} memberships={memberships ?? []} />
          </Suspense>
        )}
        {isKnown && view === 'manage' && (
          <>
            <Suspense fallback={null}>{firstSteps && <FirstStepsCard steps={firstSteps} />}</Suspense>
            <Content devices={devices} onOpen={setDialog} hasFirstSteps={firstSteps !== undefined} />
            <SharedWithMe query={sharedWithMe} />
          </>
        )}
        <DeviceDialogs
          dialog={dialog}
          devices={devices ?? []}
          onOpen={setDialog}
          onClose={() => setDialog(undefined)}
        />
      </div>
    </SavedMappingProvider>
  );
}
