import { useQuery } from '@tanstack/react-query';
import type { CloudApp, RequestBody } from '@tongtu/contract';
import { createContext, use } from 'react';
import { devicesKey, useApi, useChange } from '../../../api/index.ts';

/** Below the devices, so that a live event about devices also refetches their apps. */
export const cloudAppsKey = [...devicesKey, 'cloud-apps'];
const pollEveryMs = 10_000;

/** The user's own cloud apps, and those that others share with the user. */
export function useCloudApps() {
  const { call } = useApi();
  return useQuery({
    queryKey: cloudAppsKey,
    queryFn: ({ signal }) => call('GET /api/user/cloud_apps/', { query: { format: 'json' }, signal }),
    refetchInterval: pollEveryMs,
    refetchOnWindowFocus: 'always',
  });
}

/** The apps as the screen has them: undefined until loaded. One query serves all cards, because each would poll. */
const CloudAppsContext = createContext<ReturnType<typeof useCloudApps> | undefined>(undefined);
export const CloudAppsProvider = CloudAppsContext;

/** The query of the screen around; undefined outside of it. */
export function useScreensCloudApps() {
  return use(CloudAppsContext);
}

type CreateBody = RequestBody<'POST /api/user/cloud_apps/'>;
export type AppPatchBody = RequestBody<'PATCH /api/user/cloud_apps/{id}/'>;

export function useCreateApp() {
  return useChange([cloudAppsKey], (call, body: CreateBody) =>
    call('POST /api/user/cloud_apps/', { query: { format: 'json' }, body }),
  );
}

export function useUpdateApp() {
  return useChange([cloudAppsKey], (call, input: { id: number; patch: AppPatchBody }) =>
    call('PATCH /api/user/cloud_apps/{id}/', {
      params: { id: input.id },
      query: { format: 'json' },
      body: input.patch,
    }),
  );
}

export function useDeleteApp() {
  return useChange([cloudAppsKey], (call, id: number) =>
    call('DELETE /api/user/cloud_apps/{id}/', { params: { id }, query: { format: 'json' } }),
  );
}

const membersKey = (appId: number) => [...cloudAppsKey, 'members', appId];

export function useAppMembers(appId: number) {
  const { call } = useApi();
  return useQuery({
    queryKey: membersKey(appId),
    queryFn: ({ signal }) => call('GET /api/user/cloud_apps/{id}/members/', { params: { id: appId }, signal }),
    gcTime: 0,
  });
}

/** Offers the app to an account, which has to accept. */
export function useAddAppMember(appId: number) {
  return useChange([cloudAppsKey], (call, account: string) =>
    call('POST /api/user/cloud_apps/{id}/members/', { params: { id: appId }, body: { account } }),
  );
}

/** Ends the sessions of the member, too. */
export function useRemoveAppMember(appId: number) {
  return useChange([cloudAppsKey], (call, member: number) =>
    call('DELETE /api/user/cloud_apps/{id}/members/{member}/', { params: { id: appId, member } }),
  );
}

/** No longer a member of somebody else's app. */
export function useLeaveApp() {
  return useChange([cloudAppsKey], (call, id: number) =>
    call('DELETE /api/user/cloud_apps/{id}/membership/', { params: { id } }),
  );
}

/** The own apps of a device, in the order of their names. */
export function appsOfDevice(apps: readonly CloudApp[] | undefined, deviceId: number): CloudApp[] {
  return (apps ?? [])
    .filter((app) => app.is_own && app.router === deviceId)
    .toSorted((a, b) => byName.compare(a.name, b.name) || a.id - b.id);
}

export function sharedApps(apps: readonly CloudApp[] | undefined): CloudApp[] {
  return (apps ?? []).filter((app) => !app.is_own);
}

const byName = new Intl.Collator('zh-CN', { numeric: true });
