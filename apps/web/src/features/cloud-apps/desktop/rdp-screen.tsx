import type { AppScreenProps } from '../app-screen.ts';
import { DesktopScreen } from './desktop-screen.tsx';
import { rdpProtocol } from './rdp-backend.ts';

export function RdpScreen(props: AppScreenProps) {
  return <DesktopScreen {...props} protocol={rdpProtocol} />;
}
