import {
  CloudOutlined,
  CodeOutlined,
  DesktopOutlined,
  DownloadOutlined,
  FolderOpenOutlined,
  FolderOutlined,
  PoweroffOutlined,
  WindowsOutlined,
} from '@ant-design/icons';
import type { CloudAppKind } from '@tongtu/contract/app-kinds';
import type { ReactNode } from 'react';

const icons: Record<CloudAppKind, ReactNode> = {
  ssh: <CodeOutlined />,
  telnet: <CodeOutlined />,
  vnc: <DesktopOutlined />,
  rdp: <WindowsOutlined />,
  aria2: <DownloadOutlined />,
  sftp: <FolderOutlined />,
  webdav: <CloudOutlined />,
  smb: <FolderOpenOutlined />,
  wol: <PoweroffOutlined />,
};

export function AppIcon({ kind }: { kind: CloudAppKind }) {
  return <span aria-hidden>{icons[kind]}</span>;
}
