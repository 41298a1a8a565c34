import {
  AppstoreOutlined,
  CloudServerOutlined,
  DesktopOutlined,
  HddOutlined,
  HomeOutlined,
  LaptopOutlined,
  PlaySquareOutlined,
  PrinterOutlined,
  VideoCameraOutlined,
  WifiOutlined,
} from '@ant-design/icons';
import { type LanCategory, lanKinds, type LanKind } from '@tongtu/contract/lan-kinds';
import type { ReactNode } from 'react';

const icons: Record<LanCategory, ReactNode> = {
  router: <WifiOutlined />,
  nas: <HddOutlined />,
  hypervisor: <CloudServerOutlined />,
  'smart-home': <HomeOutlined />,
  camera: <VideoCameraOutlined />,
  printer: <PrinterOutlined />,
  media: <PlaySquareOutlined />,
  app: <AppstoreOutlined />,
  protocol: <DesktopOutlined />,
};

export function HostIcon({ kind }: { kind: LanKind | null }) {
  return <span aria-hidden>{kind === null ? <LaptopOutlined /> : icons[lanKinds[kind].category]}</span>;
}
