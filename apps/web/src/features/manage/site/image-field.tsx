import { UploadOutlined } from '@ant-design/icons';
import { Button, Form } from 'antd';
import { MAX_IMAGE_BYTES } from '@tongtu/contract/limits';
import { type ChangeEvent, useRef, useState } from 'react';
import { siteEntriesText } from '../../../text/management/site-entries.ts';
import { FileInput } from '../../../ui/fields/file-input.tsx';
import styles from '../frame/frame.module.css';
import type { ChosenImage } from './site-entry-form.ts';

type ImageFieldProps = { hasImage: boolean; onChoose: (image: ChosenImage) => void };

/** An image from this machine. The server decides by its bytes whether it is one. */
export function ImageField({ hasImage, onChoose }: ImageFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState<string>();

  async function choose({ target }: ChangeEvent<HTMLInputElement>) {
    const file = target.files?.[0];
    target.value = ''; // the same file can be chosen again
    if (!file) return;
    if (file.size > MAX_IMAGE_BYTES) return setProblem(siteEntriesText.imageTooLarge);
    try {
      const dataUrl = await readDataUrl(file);
      setProblem(undefined);
      onChoose({ dataUrl, base64: dataUrl.slice(dataUrl.indexOf(',') + 1) });
    } catch {
      setProblem(siteEntriesText.imageUnreadable);
    }
  }

  return (
    <Form.Item
      label={siteEntriesText.image}
      extra={siteEntriesText.imageHint}
      {...(problem !== undefined && { validateStatus: 'error', help: problem })}
    >
      <FileInput
        ref={input}
        accept="image/png,image/jpeg,image/webp"
        aria-label={siteEntriesText.image}
        onChange={(event) => void choose(event)}
      />
      <div className={styles.actions}>
        <Button icon={<UploadOutlined aria-hidden />} onClick={() => input.current?.click()}>
          {siteEntriesText.chooseImage}
        </Button>
        {hasImage && <Button onClick={() => onChoose(null)}>{siteEntriesText.removeImage}</Button>}
      </div>
    </Form.Item>
  );
}

async function readDataUrl(file: File): Promise<string> {
  return await new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => {
      if (typeof reader.result === 'string') resolve(reader.result);
    });
    reader.addEventListener('error', () => reject(reader.error ?? new Error('the file cannot be read')));
    reader.readAsDataURL(file);
  });
}
