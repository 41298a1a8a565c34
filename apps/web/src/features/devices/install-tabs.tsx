import { EyeInvisibleOutlined, EyeOutlined } from '@ant-design/icons';
import { Alert, Button, Tabs } from 'antd';
import { Fragment, type ReactNode, useState } from 'react';
import { isLoopbackHost } from '../../public-address.ts';
import { addDeviceText } from '../../text/devices.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import styles from './add-device.module.css';
import { type InstallInput, installCommand, manualCommands } from './install-commands.ts';

type SecretTextProps = { text: string; secret: string; isShown: boolean };

/** The secret is covered, not left out: whoever selects the text by hand copies the whole of it. */
function SecretText({ text, secret, isShown }: SecretTextProps) {
  // The parts have nothing but their place, and never move.
  return text.split(secret).map((part, index) => (
    <Fragment key={index}>
      {index > 0 && <span className={isShown ? undefined : styles.covered}>{secret}</span>}
      {part}
    </Fragment>
  ));
}

type CommandProps = { hint: string; command: string; token: string; children?: ReactNode };

function Command({ hint, command, token, children }: CommandProps) {
  const [isShown, setIsShown] = useState(false);
  return (
    <div>
      <p className={styles.hint}>{hint}</p>
      <div className={styles.command}>
        <pre>
          <SecretText text={command} secret={token} isShown={isShown} />
        </pre>
        <CopyButton text={command} label={addDeviceText.command} type="primary" size="middle">
          {addDeviceText.copy}
        </CopyButton>
      </div>
      <p className={styles.secret}>
        {addDeviceText.secret}
        <Button
          type="link"
          size="small"
          icon={isShown ? <EyeInvisibleOutlined /> : <EyeOutlined />}
          aria-pressed={isShown}
          onClick={() => setIsShown(!isShown)}
        >
          {isShown ? addDeviceText.hideToken : addDeviceText.showToken}
        </Button>
      </p>
      {children}
    </div>
  );
}

function WithoutRoot() {
  return (
    <p className={styles.secret}>
      {addDeviceText.notRoot} <code>| sh</code> {addDeviceText.notRootInstead} <code>| sudo sh</code>
      {addDeviceText.notRootElse}
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
        <Command hint={addDeviceText.installHint} command={installCommand(input)} token={input.token}>
          <WithoutRoot />
        </Command>
      ),
    },
    {
      key: 'manual',
      label: addDeviceText.tabs.manual,
      children: <Command hint={addDeviceText.manualHint} command={manualCommands(input)} token={input.token} />,
    },
  ];
  return (
    <div className={styles.install}>
      {isLoopbackHost(new URL(input.origin).hostname) && (
        <Alert type="warning" showIcon title={addDeviceText.loopback} className={styles.loopback ?? ''} />
      )}
      <Tabs items={tabs} />
    </div>
  );
}
