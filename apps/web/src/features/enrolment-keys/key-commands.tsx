import { Spin } from 'antd';
import type { ReactNode } from 'react';
import { errorText, useSiteConfig } from '../../api/index.ts';
import { reachableOrigin } from '../../address/public-address.ts';
import { addDeviceText } from '../../text/devices/devices.ts';
import { LoadFailure } from '../../ui/page/load-failure.tsx';
import type { InstallInput } from './install-commands.ts';
import { InstallTabs } from './install-tabs.tsx';
import { useBootstrap } from './use-bootstrap.ts';

type KeyCommandsProps = {
  enrolmentKey: string;
  /** What is shown of the commands; by default all of them in tabs. */
  children?: (input: InstallInput) => ReactNode;
};

/** The lines with which a device enrols by this key. */
export function KeyCommands({ enrolmentKey, children = (input) => <InstallTabs {...input} /> }: KeyCommandsProps) {
  const consoleUrl = useSiteConfig()?.console_url;
  const bootstrap = useBootstrap();
  if (bootstrap.error)
    return <LoadFailure title={addDeviceText.failed} text={errorText(bootstrap.error)} query={bootstrap} />;
  if (!bootstrap.data) return <Spin />;
  const origin = reachableOrigin(window.location.href, consoleUrl);
  return children({ origin, token: enrolmentKey, relayPin: bootstrap.data.relay_pin });
}
