import { AppstoreOutlined, HddOutlined, PlusOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import type { UseQueryResult } from '@tanstack/react-query';
import type { CloudApp, Device, Membership } from '@tongtu/contract';
import { lazy, Suspense, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { errorText, useDevices, useSiteConfigQuery } from '../../api/index.ts';
import { paths, withQuery } from '../../routing/paths.ts';
import { devicesText } from '../../text/devices/devices.ts';
import { launcherText } from '../../text/devices/launcher.ts';
import { EmptyState } from '../../ui/page/empty-state.tsx';
import { LoadFailure } from '../../ui/page/load-failure.tsx';
import { useAppOffersPart } from './cloud-apps/use-app-offers-part.ts';
import { useAppOffers } from './cloud-apps/use-app-offers.ts';
import { CloudAppsProvider, sharedApps, useCloudApps } from './cloud-apps/use-cloud-apps.ts';
import { useBanners } from './banners/use-banners.ts';
import { useBannersPart } from './banners/use-banners-part.ts';
import { AdoptionNotice } from './adoption/adoption-notice.tsx';
import { useAccessRequestsPart } from './access-requests/use-access-requests-part.ts';
import { useAccessRequests } from './access-requests/use-access-requests.ts';
import type { DeviceDialog } from './device-dialog.ts';
import { DeviceDialogs } from './device-dialogs.tsx';
import { DeviceList } from './device-list.tsx';
import { DeviceSkeleton } from './device-skeleton.tsx';
import { DeviceSummary } from './device-summary.tsx';
import styles from './devices.module.css';
import { useShownFirstSteps } from './first-steps/use-first-steps.ts';
import { HostWarning } from './host-warning.tsx';
import { SavedMappingProvider, useMarkSavedMapping } from './saved-mapping.ts';
import { ServerRow } from './server-row.tsx';
import { SharedWithMe } from './shared-with-me/shared-with-me.tsx';
import { useSharedWithMe } from './shared-with-me/use-shared-with-me.ts';
import { useServers } from './use-servers.ts';
import { useWantedAddition, useWantedBinding, useWantedDiagnosis, useWantedTest } from './use-wanted-dialog.ts';

/** Loaded on demand, because most visits do not show these. */
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

const noApps: readonly CloudApp[] = [];

type View = 'launcher' | 'manage';

/** What others share with the user. */
type Shared = { memberships: readonly Membership[]; apps: readonly CloudApp[] };

function isShared({ memberships, apps }: Shared): boolean {
  return memberships.length + apps.length > 0;
}

/** The view is part of the URL. A user without devices with whom something is shared sees the launcher first. */
function useView(devices: readonly Device[] | undefined, shared: Shared): View {
  const [search] = useSearchParams();
  const view = search.get('view');
  if (view !== null) return view === 'launcher' ? 'launcher' : 'manage';
  return devices?.length === 0 && isShared(shared) ? 'launcher' : 'manage';
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

/** The screen appears as a whole, because a part that arrives later would move the others. */
function useIsComplete(queries: readonly Arriving[]): boolean {
  const [isComplete, setIsComplete] = useState(false);
  const isWaiting = queries.some(isArriving);
  if (!isComplete && !isWaiting) setIsComplete(true);
  return isComplete || !isWaiting;
}

type Arriving = Pick<UseQueryResult, 'isLoading' | 'failureCount'>;

/** What fails at first is not waited for. */
function isArriving({ isLoading, failureCount }: Arriving): boolean {
  return isLoading && failureCount === 0;
}

export function DevicesPage() {
  const query = useDevices();
  const { data: devices, error } = query;
  const sharedWithMe = useSharedWithMe();
  const cloudApps = useCloudApps();
  const shared = { memberships: sharedWithMe.data ?? [], apps: sharedApps(cloudApps.data) };
  const view = useView(devices, shared);
  const firstSteps = useShownFirstSteps();
  const steps = firstSteps.data ?? undefined;
  const accessRequests = useAccessRequestsPart();
  const { data: AccessRequests } = accessRequests;
  const appOffers = useAppOffersPart();
  const { data: AppOffers } = appOffers;
  const bannersPart = useBannersPart();
  const { data: Banners } = bannersPart;
  const isComplete = useIsComplete([
    cloudApps,
    useAccessRequests(),
    accessRequests,
    useAppOffers(),
    appOffers,
    firstSteps,
    useServers(),
    useBanners(),
    bannersPart,
    useSiteConfigQuery(),
  ]);
  const [dialog, setDialog] = useState<DeviceDialog>();
  const savedMapping = useMarkSavedMapping();
  useWantedTest(devices, setDialog);
  useWantedDiagnosis(devices, setDialog);
  useWantedBinding(setDialog);
  useWantedAddition(setDialog);
  // What is shared decides which view a user without devices sees.
  const isSharedKnown = (sharedWithMe.data !== undefined || sharedWithMe.isError) && !isArriving(cloudApps);
  const isKnown = devices !== undefined && (devices.length > 0 || isSharedKnown);
  const hasSomething = isKnown && (devices.length > 0 || isShared(shared));
  return (
    <SavedMappingProvider value={savedMapping}>
      <CloudAppsProvider value={cloudApps}>
        <div className={styles.page}>
          <div className={styles.pageHead}>
            <h1>{view === 'launcher' ? launcherText.title : devicesText.title}</h1>
            <span className={styles.pageActions}>
              {hasSomething && <ViewLink to={view === 'launcher' ? 'manage' : 'launcher'} />}
              {view === 'manage' && devices !== undefined && devices.length > 0 && (
                <AddDeviceButton onOpen={setDialog} />
              )}
            </span>
          </div>
          {error && devices === undefined && (
            <LoadFailure title={devicesText.failed} text={errorText(error)} query={query} />
          )}
          {!error && !(isKnown && isComplete) && <DeviceSkeleton />}
          {isKnown && isComplete && (
            <Suspense fallback={<DeviceSkeleton />}>
              {Banners && <Banners />}
              {AppOffers && <AppOffers />}
              {view === 'launcher' ? (
                <Launcher devices={devices} memberships={shared.memberships} apps={cloudApps.data ?? noApps} />
              ) : (
                <>
                  <HostWarning />
                  <ServerRow />
                  <AdoptionNotice devices={devices} onOpen={setDialog} />
                  {AccessRequests && <AccessRequests />}
                  {steps && <FirstStepsCard steps={steps} />}
                  <Content devices={devices} onOpen={setDialog} hasFirstSteps={steps !== undefined} />
                  <SharedWithMe query={sharedWithMe} apps={shared.apps} onOpen={setDialog} />
                </>
              )}
            </Suspense>
          )}
          <DeviceDialogs
            dialog={dialog}
            devices={devices ?? []}
            onOpen={setDialog}
            onClose={() => setDialog(undefined)}
          />
        </div>
      </CloudAppsProvider>
    </SavedMappingProvider>
  );
}
