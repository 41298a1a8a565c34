import { Alert } from 'antd';
import { useSiteConfig } from '../../api/index.ts';
import { isLoopbackHost } from '../../address/public-address.ts';
import { hostWarningText } from '../../text/devices/devices.ts';

/** Names below `localhost` resolve to the visitor's own machine, so they work on this machine only. */
export function HostWarning() {
  const baseDomain = useSiteConfig()?.base_domain;
  if (baseDomain === undefined || !isLoopbackHost(baseDomain) || isLoopbackHost(window.location.hostname)) return null;
  return <Alert type="warning" showIcon title={hostWarningText.title} description={hostWarningText.text(baseDomain)} />;
}
