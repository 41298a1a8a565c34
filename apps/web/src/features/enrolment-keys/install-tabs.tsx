import { Alert, Tabs } from 'antd';
import type { ReactNode } from 'react';
import { isLoopbackHost } from '../../address/public-address.ts';
import { addDeviceText } from '../../text/devices/devices.ts';
import { CopyButton } from '../../ui/copy/copy-button.tsx';
import styles from './enrolment-keys.module.css';
import { type InstallInput, installCommand, manualCommands, windowsCommand } from './install-commands.ts';

type CommandProps = { hint: string; command: string; children?: ReactNode };

function Command({ hint, command, children }: CommandProps) {
  return (
    <div>
      <p className={styles.hint}>{hint}</p>
      <div className={styles.command}>
        <pre>{command}</pre>
        <CopyButton text={command} label={addDeviceText.command} type="primary" size="middle">
          {addDeviceText.copy}
        </CopyButton>
      </div>
      {children}
    </div>
  );
}

/**
 * Not `sudo` within the line: sudo logs what `VAR=value` and `--preserve-env=VAR` hand over, so the token, too, and
 * sudo-rs ignores `-E`.
 */
function WithoutRoot() {
  return (
    <p className={styles.note}>
      {addDeviceText.notRoot} <code>sudo -i</code> {addDeviceText.notRootElse}
    </p>
  );
}

/** The lines to paste, for a shell and for everything else. */
export function InstallTabs(input: InstallInput) {
  const tabs = [
    {
      key: 'install',
      label: addDeviceText.tabs.install,
      children: (
        <Command hint={addDeviceText.installHint} command={installCommand(input)}>
          <WithoutRoot />
        </Command>
      ),
    },
    {
      key: 'windows',
      label: addDeviceText.tabs.windows,
      children: <Command hint={addDeviceText.windowsHint} command={windowsCommand(input)} />,
    },
    {
      key: 'manual',
      label: addDeviceText.tabs.manual,
      children: <Command hint={addDeviceText.manualHint} command={manualCommands(input)} />,
    },
  ];
  return (
    <div className={styles.install}>
      {isLoopbackHost(new URL(input.origin).hostname) && (
        <Alert type="warning" showIcon title={addDeviceText.loopback} className={styles.loopback ?? ''} />
      )}
      <Tabs items={tabs} tabBarGutter={20} />
    </div>
  );
}
