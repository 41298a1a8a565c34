import { appKinds, type CloudAppKind, cloudAppKinds } from '@tongtu/contract/app-kinds';
import { type ComponentType, lazy, type LazyExoticComponent } from 'react';
import type { AppScreenProps } from '../features/cloud-apps/app-screen.ts';

type AppScreen = LazyExoticComponent<ComponentType<AppScreenProps>>;

const TerminalScreen = lazy(async () => ({
  default: (await import('../features/cloud-apps/terminal/terminal-screen.tsx')).TerminalScreen,
}));
const FilesScreen = lazy(async () => ({
  default: (await import('../features/cloud-apps/files/files-screen.tsx')).FilesScreen,
}));

const VncScreen = lazy(async () => ({
  default: (await import('../features/cloud-apps/desktop/vnc-screen.tsx')).VncScreen,
}));

const RdpScreen = lazy(async () => ({
  default: (await import('../features/cloud-apps/desktop/rdp-screen.tsx')).RdpScreen,
}));

/** What shows an open app. Each is loaded only on the page of an app of its kind. */
export const appScreens: Partial<Record<CloudAppKind, AppScreen>> = {
  ssh: TerminalScreen,
  telnet: TerminalScreen,
  vnc: VncScreen,
  rdp: RdpScreen,
  sftp: FilesScreen,
  smb: FilesScreen,
  webdav: FilesScreen,
};

export function hasScreen(kind: CloudAppKind): boolean {
  return appScreens[kind] !== undefined;
}

/** The kinds of a group that can be opened, and so can be added. */
export function openableKinds(group: 'app' | 'files'): CloudAppKind[] {
  return cloudAppKinds.filter((kind) => appKinds[kind].group === group && hasScreen(kind));
}
