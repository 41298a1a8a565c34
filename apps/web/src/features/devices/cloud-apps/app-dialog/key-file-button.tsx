import { Button } from 'antd';
import { MAX_PRIVATE_KEY_LENGTH } from '@tongtu/contract/limits';
import { type ChangeEvent, useRef } from 'react';
import { appFormText } from '../../../../text/cloud-apps/app-form.ts';
import { FileInput } from '../../../../ui/fields/file-input.tsx';
import { useToast } from '../../../../ui/use-toast.ts';

/** Reads a key from a file of this computer. */
export function KeyFileButton({ onRead }: { onRead: (text: string) => void }) {
  const toast = useToast();
  const input = useRef<HTMLInputElement>(null);

  async function read({ target }: ChangeEvent<HTMLInputElement>) {
    const [file] = target.files ?? [];
    target.value = ''; // the same file can be chosen again
    if (!file) return;
    if (file.size > MAX_PRIVATE_KEY_LENGTH) return toast.error(appFormText.fileTooLarge);
    onRead(await file.text());
  }
  return (
    <>
      <Button size="small" onClick={() => input.current?.click()}>
        {appFormText.chooseFile}
      </Button>
      <FileInput ref={input} aria-label={appFormText.chooseKeyFile} onChange={(event) => void read(event)} />
    </>
  );
}
