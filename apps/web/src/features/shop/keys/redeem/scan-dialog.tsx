import { Alert, Button } from 'antd';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { sharedText } from '../../../../text/shared.ts';
import { scanText } from '../../../../text/shop/keys.ts';
import { Dialog, nothingToKeep } from '../../../../ui/dialog/dialog.tsx';
import { findKeys } from '../find-keys.ts';
import styles from '../keys.module.css';
import { createDetector } from './barcode-detector.ts';

const lookEveryMs = 250;

type ScanDialogProps = { onFound: (key: string) => void; onClose: () => void };

/** Reads a key from the camera. The camera is off again as soon as the dialog closes. */
export function ScanDialog({ onFound, onClose }: ScanDialogProps) {
  const [problem, setProblem] = useState<string>();
  function read(text: string) {
    const [key] = findKeys(text);
    if (key === undefined) setProblem(scanText.noKey);
    else onFound(key);
  }
  return (
    <Dialog
      title={scanText.title}
      footer={<Button onClick={onClose}>{sharedText.cancel}</Button>}
      hasUnsavedInput={nothingToKeep}
      onClose={onClose}
    >
      <p>{scanText.hint}</p>
      {problem !== undefined && <Alert type="warning" showIcon title={problem} />}
      <Camera onText={read} onNoCamera={() => setProblem(scanText.noCamera)} />
    </Dialog>
  );
}

type CameraProps = { onText: (text: string) => void; onNoCamera: () => void };

/** Its own component: the content of a dialog exists only after the dialog's own effects. */
function Camera(props: CameraProps) {
  const video = useRef<HTMLVideoElement>(null);
  const onText = useEffectEvent(props.onText);
  const onNoCamera = useEffectEvent(props.onNoCamera);
  useEffect(() => {
    const closed = new AbortController();
    const { signal } = closed;
    if (video.current) scan(video.current, signal, onText).catch(() => signal.aborted || onNoCamera());
    return () => closed.abort();
  }, []);
  return <video ref={video} className={styles.video} aria-label={scanText.video} muted playsInline />;
}

/** Looks for QR codes until the signal. Throws when there is no camera, or it may not be used. */
async function scan(video: HTMLVideoElement, signal: AbortSignal, onText: (text: string) => void): Promise<void> {
  const detector = createDetector();
  const stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } });
  try {
    video.srcObject = stream;
    if (!signal.aborted) await video.play();
    while (!signal.aborted) {
      // An image that cannot be read is followed by the next one.
      const codes = (await detector?.detect(video).catch(() => [])) ?? [];
      for (const { rawValue } of signal.aborted ? [] : codes) onText(rawValue);
      await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
    }
  } finally {
    for (const track of stream.getTracks()) track.stop();
  }
}
