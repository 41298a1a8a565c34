import { type ReactNode, useEffect, useState } from 'react';
import { Segmented } from 'antd';
import { boxText } from '../../../text/devices/add-device.ts';
import { addDeviceText } from '../../../text/devices/devices.ts';
import { Command, WithoutRoot } from '../../enrolment-keys/command.tsx';
import lines from '../../enrolment-keys/enrolment-keys.module.css';
import {
  composeFile,
  dockerCommand,
  type InstallInput,
  installCommand,
  manualCommands,
  windowsCommand,
} from '../../enrolment-keys/install-commands.ts';
import { LoopbackWarning } from '../../enrolment-keys/loopback-warning.tsx';
import { useBootstrap } from '../../enrolment-keys/use-bootstrap.ts';
import styles from './add-device.module.css';
import { type Box, type NasBrand, nasBrands, type Shown } from './boxes.ts';
import { KeyInstructions } from './key-instructions.tsx';
import { MirroredImage } from './mirrored-image.tsx';
import { QnapDrawing, SynologyDrawing, WindowsDrawing } from './drawings.tsx';
import { Steps } from './steps.tsx';

type OnShown = (shown: Shown) => void;

/** How the agent comes to a device of this kind. */
export function AgentInstructions({ box, onShown }: { box: Exclude<Box, 'frpc'>; onShown: OnShown }) {
  return (
    <KeyInstructions>
      {(input) => (
        <ShownText input={input} onShown={onShown}>
          <Instructions box={box} input={input} />
        </ShownText>
      )}
    </KeyInstructions>
  );
}

type ShownTextProps = { input: InstallInput; onShown: OnShown; children: ReactNode };

function ShownText({ input, onShown, children }: ShownTextProps) {
  const tunnel = useBootstrap().data;
  const address = tunnel && `${tunnel.tunnel_host}:${tunnel.tunnel_port}`;
  useEffect(() => {
    if (address !== undefined) onShown({ program: 'agent', address });
  }, [address, onShown]);
  return (
    <div className={lines.install}>
      <LoopbackWarning origin={input.origin} />
      {children}
    </div>
  );
}

function Instructions({ box, input }: { box: Exclude<Box, 'frpc'>; input: InstallInput }) {
  switch (box) {
    case 'openwrt':
      return <Command hint={boxText.openwrt.agentHint} command={installCommand(input)} />;
    case 'nas':
      return <NasInstructions input={input} />;
    case 'linux':
      return (
        <>
          <Command hint={boxText.linux.hint} command={installCommand(input)}>
            <WithoutRoot />
          </Command>
          <details className={styles.more}>
            <summary>{boxText.linux.manualTitle}</summary>
            <Command hint={addDeviceText.manualHint} command={manualCommands(input)} />
          </details>
        </>
      );
    case 'docker':
      return <DockerInstructions input={input} />;
    case 'windows':
      return (
        <Steps steps={boxText.windows.steps} drawing={<WindowsDrawing />}>
          <Command command={windowsCommand(input)} />
          <p className={lines.note}>{boxText.windows.after}</p>
          <div className={styles.next}>
            <Command hint={boxText.windows.sleep} command={boxText.windows.sleepCommand} />
          </div>
        </Steps>
      );
    case 'macos':
      return (
        <Steps steps={boxText.macos.steps}>
          <Command command={installCommand(input)} />
          <p className={lines.note}>{boxText.macos.after}</p>
        </Steps>
      );
  }
}

function NasInstructions({ input }: { input: InstallInput }) {
  const [brand, setBrand] = useState<NasBrand>('synology');
  const options = nasBrands.map((value) => ({ value, label: boxText.nas.brands[value] }));
  const byBrand: Record<NasBrand, ReactNode> = {
    synology: (
      <Steps steps={boxText.synology.steps} drawing={<SynologyDrawing />}>
        <Command command={installCommand(input)} />
      </Steps>
    ),
    qnap: (
      <Steps steps={boxText.qnap.steps} drawing={<QnapDrawing />}>
        <MirroredImage>
          {(prefix) => <Command command={composeFile(input, prefix)} label={boxText.docker.composeLabel} />}
        </MirroredImage>
      </Steps>
    ),
    fnos: (
      <Steps steps={boxText.fnos.steps}>
        <Command command={installCommand(input)} />
      </Steps>
    ),
    unraid: (
      <Steps steps={boxText.unraid.steps}>
        <MirroredImage>{(prefix) => <Command command={dockerCommand(input, prefix)} />}</MirroredImage>
      </Steps>
    ),
  };
  return (
    <>
      <Segmented
        block
        aria-label={boxText.nas.label}
        options={options}
        value={brand}
        onChange={setBrand}
        className={styles.ways ?? ''}
      />
      {byBrand[brand]}
    </>
  );
}

function DockerInstructions({ input }: { input: InstallInput }) {
  const [form, setForm] = useState<'run' | 'compose'>('run');
  const { forms, run, compose, composeLabel } = boxText.docker;
  const options = (['run', 'compose'] as const).map((value) => ({ value, label: forms[value] }));
  return (
    <>
      <Segmented
        block
        aria-label={boxText.docker.label}
        options={options}
        value={form}
        onChange={setForm}
        className={styles.ways ?? ''}
      />
      <MirroredImage>
        {(prefix) =>
          form === 'run' ? (
            <Command hint={run} command={dockerCommand(input, prefix)} />
          ) : (
            <Command hint={compose} command={composeFile(input, prefix)} label={composeLabel} />
          )
        }
      </MirroredImage>
      <p className={lines.note}>{boxText.docker.hostNetwork}</p>
    </>
  );
}
