import type { CloudAppKind } from '@tongtu/contract/app-kinds';
import { type ComponentType, lazy, type LazyExoticComponent } from 'react';
import type { AppScreenProps } from '../features/cloud-apps/app-screen.ts';

type AppScreen = LazyExoticComponent<ComponentType<AppScreenProps>>;

const TerminalScreen = lazy(async () => ({
  default: (await import('../features/cloud-apps/terminal/terminal-screen.tsx')).TerminalScreen,
}));
const DownloadsScreen = lazy(async () => ({
  default: (await import('../features/cloud-apps/downloads/downloads-screen.tsx')).DownloadsScreen,
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
export const appScreens: Record<Exclude<CloudAppKind, 'wol'>, AppScreen> = {
  ssh: TerminalScreen,
  telnet: TerminalScreen,
  vnc: VncScreen,
  rdp: RdpScreen,
  aria2: DownloadsScreen,
  sftp: FilesScreen,
  smb: FilesScreen,
  webdav: FilesScreen,
};
