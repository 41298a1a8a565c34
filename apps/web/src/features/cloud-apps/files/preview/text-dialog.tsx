import type { TextEncoding } from '@tongtu/contract/text-encodings';
import { Alert, Button, Select, Spin } from 'antd';
import { useMemo, useState } from 'react';
import { errorText } from '../../../../api/index.ts';
import { previewText } from '../../../../text/cloud-apps/file-preview.ts';
import { shownName } from '../../../../text/cloud-apps/files.ts';
import { sharedText } from '../../../../text/shared.ts';
import { Dialog } from '../../../../ui/dialog/dialog.tsx';
import { LoadFailure } from '../../../../ui/page/load-failure.tsx';
import { useConfirm } from '../../../../ui/use-confirm.ts';
import { useToast } from '../../../../ui/use-toast.ts';
import type { FilesClient } from '../files-client.ts';
import styles from './preview.module.css';
import { bytesToSave, readText, type TextContent } from './text-content.ts';
import { useTextFile } from './use-text-file.ts';

const dialogWidth = 'min(960px, calc(100vw - 32px))';
const dialogStyle = { top: 24 };

type TextDialogProps = {
  client: FilesClient;
  path: string;
  onChanged: () => void;
  onDownload: () => void;
  onClose: () => void;
};

/** Shows a text file, and saves what is changed in it. */
export function TextDialog({ client, path, onChanged, onDownload, onClose }: TextDialogProps) {
  const { query, save, hasConflict } = useTextFile(client, path);
  const [edited, setEdited] = useState<string>();
  const toast = useToast();
  const confirm = useConfirm();
  const { data: file } = query;
  const [chosen, setChosen] = useState<TextEncoding | undefined>(client.names.encoding === 'big5' ? 'big5' : undefined);
  const content = useMemo(() => file && readText(file.bytes, chosen), [file, chosen]);
  const canBeSaved = content?.canBeWritten === true && file?.version !== null;
  const isChanged = edited !== undefined && edited !== content?.text;

  const saveWith = (keepMine: boolean) => {
    const bytes = content && bytesToSave(edited ?? '', content);
    if (!content || !bytes)
      return content && toast.error(previewText.notInEncoding(previewText.encodings[content.encoding]));
    return save.mutate(
      { bytes, keepMine },
      {
        onSuccess() {
          toast.success(previewText.saved);
          onChanged();
          onClose();
        },
      },
    );
  };
  const reload = () =>
    confirm({
      title: previewText.reloadTitle,
      text: previewText.reloadText,
      confirm: previewText.reload,
      onConfirm: () => {
        setEdited(undefined);
        save.reset();
        void query.refetch();
      },
    });

  return (
    <Dialog
      title={<bdi>{shownName(client.names.textOf(path))}</bdi>}
      width={dialogWidth}
      style={dialogStyle}
      onClose={onClose}
      hasUnsavedInput={() => isChanged}
      isMaskInert
      confirmLoading={save.isPending}
      footer={
        <div className={styles.footer}>
          {content && (
            <EncodingChoice content={content} isDisabled={isChanged || save.isPending} onChoose={setChosen} />
          )}
          <Button onClick={onDownload}>{previewText.download}</Button>
          {/* Whether it was saved is said here. */}
          <Button disabled={save.isPending} onClick={onClose}>
            {sharedText.close}
          </Button>
          {canBeSaved && (
            <Button type="primary" disabled={!isChanged} loading={save.isPending} onClick={() => saveWith(false)}>
              {previewText.save}
            </Button>
          )}
        </div>
      }
    >
      {query.isPending && <Spin />}
      {query.error && <LoadFailure title={previewText.failed} text={errorText(query.error)} query={query} />}
      {file && !content && <Alert type="info" showIcon title={previewText.noText} />}
      {content && (
        <>
          <Hints content={content} canBeSaved={canBeSaved} />
          {hasConflict && (
            <Alert
              type="warning"
              showIcon
              className={styles.alert ?? ''}
              title={previewText.conflictTitle}
              description={previewText.conflictText}
              action={
                <div className={styles.choices}>
                  <Button size="small" danger onClick={() => saveWith(true)}>
                    {previewText.keepMine}
                  </Button>
                  <Button size="small" onClick={reload}>
                    {previewText.reload}
                  </Button>
                </div>
              }
            />
          )}
          {save.error && !hasConflict && (
            <Alert type="error" showIcon className={styles.alert ?? ''} title={errorText(save.error)} />
          )}
          <textarea
            className={styles.text}
            aria-label={previewText.content}
            value={edited ?? content.text}
            readOnly={!canBeSaved || save.isPending}
            spellCheck={false}
            autoCapitalize="none"
            autoComplete="off"
            wrap="soft"
            onChange={(event) => setEdited(event.target.value)}
          />
        </>
      )}
    </Dialog>
  );
}

function Hints({ content, canBeSaved }: { content: TextContent; canBeSaved: boolean }) {
  if (!content.canBeWritten) return <p className={styles.hint}>{previewText.notExact}</p>;
  if (!canBeSaved) return <p className={styles.hint}>{previewText.readOnly}</p>;
  return content.hasMixedLineEnds ? <p className={styles.hint}>{previewText.mixedLineEnds}</p> : null;
}

const encodingOptions = (Object.keys(previewText.encodings) as TextEncoding[]) // an object literal has the keys of its type
  .filter((value) => value !== 'gbk')
  .map((value) => ({ value, label: previewText.encodings[value] }));

type EncodingChoiceProps = {
  content: TextContent;
  isDisabled: boolean;
  onChoose: (encoding: TextEncoding) => void;
};

/** How the file is read. What was edited would be lost with another one. */
function EncodingChoice({ content, isDisabled, onChoose }: EncodingChoiceProps) {
  const { encoding } = content;
  return (
    <Select<TextEncoding>
      className={styles.encoding ?? ''}
      aria-label={previewText.encoding}
      disabled={isDisabled}
      value={encoding === 'gbk' ? 'gb18030' : encoding}
      options={encodingOptions}
      onChange={onChoose}
    />
  );
}
