import {
  AppleOutlined,
  CloudServerOutlined,
  CodeOutlined,
  ContainerOutlined,
  DatabaseOutlined,
  WifiOutlined,
  WindowsOutlined,
} from '@ant-design/icons';
import type { ReactNode } from 'react';
import { wizardText } from '../../../text/devices/add-device.ts';
import styles from './add-device.module.css';
import { type Box, boxes } from './boxes.ts';

const icons: Record<Box, ReactNode> = {
  openwrt: <WifiOutlined aria-hidden />,
  nas: <DatabaseOutlined aria-hidden />,
  linux: <CloudServerOutlined aria-hidden />,
  docker: <ContainerOutlined aria-hidden />,
  windows: <WindowsOutlined aria-hidden />,
  macos: <AppleOutlined aria-hidden />,
  frpc: <CodeOutlined aria-hidden />,
};

/** Asks what the device is. */
export function ChooseBox({ onChoose }: { onChoose: (box: Box) => void }) {
  return (
    <>
      <h3 className={styles.question}>{wizardText.question}</h3>
      <p className={styles.questionHint}>{wizardText.questionHint}</p>
      <ul className={styles.boxes}>
        {boxes.map((box) => (
          <li key={box}>
            <button type="button" className={styles.box} onClick={() => onChoose(box)}>
              <span className={styles.icon}>{icons[box]}</span>
              <span>
                <strong>{wizardText.boxes[box].name}</strong>
                <small>{wizardText.boxes[box].hint}</small>
              </span>
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}
