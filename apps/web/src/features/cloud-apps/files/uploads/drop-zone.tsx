import { type DragEvent, type ReactNode, useState } from 'react';
import { uploadsText } from '../../../../text/cloud-apps/file-uploads.ts';
import styles from './uploads.module.css';

type DropZoneProps = { className: string | undefined; onDrop: (transfer: DataTransfer) => void; children: ReactNode };

/** Takes files that are dragged onto it from the computer. */
export function DropZone({ className, onDrop, children }: DropZoneProps) {
  /** The drag enters each element below it as well. */
  const [depth, setDepth] = useState(0);
  const withFiles = (run: (event: DragEvent) => void) => (event: DragEvent) => {
    if (!event.dataTransfer.types.includes('Files')) return;
    event.preventDefault();
    run(event);
  };
  return (
    <div
      className={className}
      onDragEnter={withFiles(() => setDepth((before) => before + 1))}
      onDragLeave={withFiles(() => setDepth((before) => Math.max(before - 1, 0)))}
      onDragOver={withFiles(({ dataTransfer }) => {
        dataTransfer.dropEffect = 'copy';
      })}
      onDrop={withFiles(({ dataTransfer }) => {
        setDepth(0);
        onDrop(dataTransfer);
      })}
    >
      {children}
      {depth > 0 && <div className={styles.drop}>{uploadsText.dropHere}</div>}
    </div>
  );
}
