import { useEffect, useRef } from 'react';
import { wizardText } from '../../../text/devices/add-device.ts';
import { useOpenDialog } from '../../../ui/dialog/use-open-dialog.ts';
import type { useCreateFrpcDevice } from '../frpc/use-frpc.ts';
import styles from './add-device.module.css';
import { AgentInstructions } from './agent-instructions.tsx';
import type { Box, Shown } from './boxes.ts';
import { FrpcInstructions } from './frpc-instructions.tsx';

type ChosenBoxProps = {
  box: Box;
  createFrpc: ReturnType<typeof useCreateFrpcDevice>;
  onShown: (shown: Shown) => void;
  onBack: () => void;
};

/** What to do on the chosen kind of device. The browser's Back leads to the choice. */
export function ChosenBox({ box, createFrpc, onShown, onBack }: ChosenBoxProps) {
  const title = useRef<HTMLHeadingElement>(null);
  useOpenDialog({ onBack, hasUnsavedInput: () => false });
  // The button that was clicked no longer exists.
  useEffect(() => title.current?.focus(), []);
  return (
    <section className={styles.chosen}>
      <h3 ref={title} tabIndex={-1} className={styles.question}>
        {wizardText.boxes[box].name}
      </h3>
      {box === 'openwrt' || box === 'frpc' ? (
        <FrpcInstructions box={box} create={createFrpc} onShown={onShown} />
      ) : (
        <AgentInstructions box={box} onShown={onShown} />
      )}
    </section>
  );
}
