import type { AppScreenProps } from '../app-screen.ts';
import { DesktopScreen } from './desktop-screen.tsx';
import { vncProtocol } from './vnc-protocol.ts';

export function VncScreen(props: AppScreenProps) {
  return <DesktopScreen {...props} protocol={vncProtocol} />;
}
