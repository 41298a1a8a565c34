import { Segmented } from 'antd';
import type { FrpcConfiguration } from '@tongtu/contract';
import { useEffect, useState } from 'react';
import { boxText } from '../../../text/devices/add-device.ts';
import { frpcText, frpcTomlText } from '../../../text/devices/frpc.ts';
import { Command } from '../../enrolment-keys/command.tsx';
import lines from '../../enrolment-keys/enrolment-keys.module.css';
import { openwrtCommands } from '../../enrolment-keys/install-commands.ts';
import { AccountTexts } from '../frpc/account-texts.tsx';
import { AddFrpcDevice } from '../frpc/add-frpc-device.tsx';
import { FrpcNotes, FrpcTexts } from '../frpc/frpc-texts.tsx';
import type { useCreateFrpcDevice } from '../frpc/use-frpc.ts';
import styles from './add-device.module.css';
import { AgentInstructions } from './agent-instructions.tsx';
import type { Shown } from './boxes.ts';

type FrpcInstructionsProps = {
  box: 'openwrt' | 'frpc';
  /** Of the whole dialog: who goes back and returns finds the same device again, not a second one. */
  create: ReturnType<typeof useCreateFrpcDevice>;
  onShown: (shown: Shown) => void;
};

/** How a stock frpc becomes a device. */
export function FrpcInstructions({ box, create, onShown }: FrpcInstructionsProps) {
  const configuration = create.data;
  const address = configuration && `${configuration.server_host}:${configuration.server_port}`;
  useEffect(() => {
    if (address !== undefined) onShown({ program: 'frpc', address });
  }, [address, onShown]);

  if (box === 'frpc') return <RunningFrpc create={create} onShown={onShown} />;
  if (configuration) return <OpenwrtTexts configuration={configuration} />;
  return (
    <>
      <AddFrpcDevice intro={boxText.openwrt.intro} create={create} />
      <OpenwrtAgent onShown={onShown} />
    </>
  );
}

const ways = (['console', 'toml'] as const).map((value) => ({ value, label: frpcTomlText.ways[value] }));

/** A frpc with proxies of its own may keep them. */
function RunningFrpc({ create, onShown }: Omit<FrpcInstructionsProps, 'box'>) {
  const [way, setWay] = useState<(typeof ways)[number]['value']>('console');
  if (create.data) return <FrpcTexts configuration={create.data} />;
  return (
    <>
      <Segmented
        block
        aria-label={frpcTomlText.way}
        options={ways}
        value={way}
        onChange={setWay}
        className={styles.ways ?? ''}
      />
      {way === 'console' ? (
        <AddFrpcDevice intro={frpcText.intro} create={create} />
      ) : (
        <AccountTexts
          onShown={({ server_host: host, server_port: port }) =>
            onShown({ program: 'frpc', address: `${host}:${port}` })
          }
        />
      )}
    </>
  );
}

function OpenwrtTexts({ configuration }: { configuration: FrpcConfiguration }) {
  const text = boxText.openwrt;
  return (
    <>
      <Command hint={text.login} command={text.loginCommand}>
        <p className={lines.note}>{text.loginHint}</p>
      </Command>
      <div className={styles.next}>
        <Command hint={text.paste} command={openwrtCommands(configuration.uci)} />
      </div>
      <FrpcNotes configuration={configuration} />
    </>
  );
}

/** The key is made only for who wants it. */
function OpenwrtAgent({ onShown }: { onShown: (shown: Shown) => void }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details className={styles.more} onToggle={(event) => event.currentTarget.open && setIsOpen(true)}>
      <summary>{boxText.openwrt.agentTitle}</summary>
      {isOpen && <AgentInstructions box="openwrt" onShown={onShown} />}
    </details>
  );
}
