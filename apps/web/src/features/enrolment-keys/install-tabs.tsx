import { Tabs } from 'antd';
import { addDeviceText } from '../../text/devices/devices.ts';
import { Command, WithoutRoot } from './command.tsx';
import styles from './enrolment-keys.module.css';
import { type InstallInput, installCommand, manualCommands, windowsCommand } from './install-commands.ts';
import { LoopbackWarning } from './loopback-warning.tsx';

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
      <LoopbackWarning origin={input.origin} />
      <Tabs items={tabs} tabBarGutter={20} />
    </div>
  );
}
