import { useMutation } from '@tanstack/react-query';
import { Alert, Form, Input, Radio } from 'antd';
import type { DownloadsResult } from '@tongtu/contract';
import { isInnerFolder, MAX_FOLDER_LENGTH, MAX_LINKS, MAX_TORRENT_BYTES } from '@tongtu/contract/download-links';
import { useState } from 'react';
import { errorText } from '../../../../api/index.ts';
import { downloadsText } from '../../../../text/cloud-apps/downloads.ts';
import { Dialog } from '../../../../ui/dialog/dialog.tsx';
import { useSubmit } from '../../../../ui/fields/use-submit.ts';
import { useToast } from '../../../../ui/use-toast.ts';
import type { DownloadsClient } from '../downloads-client.ts';
import { LimitField } from '../limits/limit-field.tsx';
import { limitOf, type TypedLimit, typedLimit } from '../limits/speed-limit.ts';
import styles from './add.module.css';
import { readLinks } from './read-links.ts';
import { TorrentField } from './torrent-field.tsx';

const widthPx = 560;
const ways = ['links', 'torrent'] as const;

type AddFields = {
  way: (typeof ways)[number];
  links: string;
  torrent: File | null;
  folder: string;
  limit: TypedLimit;
};

type AddDialogProps = {
  client: DownloadsClient;
  /** Where aria2 downloads to. */
  base: string;
  onAdded: () => void;
  onClose: () => void;
};

const nothing: AddFields = { way: 'links', links: '', torrent: null, folder: '', limit: typedLimit(0) };

/** Adds downloads by their links or by a torrent file. */
export function AddDialog({ client, base, onAdded, onClose }: AddDialogProps) {
  const [form] = Form.useForm<AddFields>();
  const way = Form.useWatch('way', form) ?? nothing.way;
  const toast = useToast();
  const [failed, setFailed] = useState<DownloadsResult['failed']>([]);
  const { mutateAsync, error, isPending } = useMutation({
    mutationFn: async (fields: AddFields) => await add(client, fields),
  });
  const submit = useSubmit({
    send: async (fields: AddFields) => await mutateAsync(fields),
    onSuccess(result) {
      onAdded();
      if (result.done > 0) toast.success(downloadsText.added(result.done));
      if (result.failed.length === 0) return onClose();
      // What has been added is not added again.
      setFailed(result.failed);
      form.setFieldValue('links', result.failed.map(({ item }) => item).join('\n'));
    },
    onUnseenFailure: (failure) => toast.error(errorText(failure)),
  });
  return (
    <Dialog
      title={downloadsText.add}
      width={widthPx}
      okText={downloadsText.addOk}
      confirmLoading={isPending}
      onOk={() => form.submit()}
      onClose={onClose}
      isMaskInert
    >
      <Form<AddFields>
        form={form}
        layout="vertical"
        requiredMark={false}
        initialValues={nothing}
        onFinish={() => void submit({ ...nothing, ...form.getFieldsValue(true) })}
      >
        <Form.Item name="way" label={downloadsText.way}>
          <Radio.Group options={ways.map((value) => ({ value, label: downloadsText.ways[value] }))} />
        </Form.Item>
        {way === 'links' ? (
          <Form.Item
            name="links"
            label={downloadsText.links}
            extra={downloadsText.linksHint}
            validateTrigger={['onBlur']}
            rules={[
              { validator: checkLinks, validateTrigger: 'onBlur' },
              { validator: requireLinks, validateTrigger: 'onSubmit' },
            ]}
          >
            <Input.TextArea autoFocus rows={4} autoComplete="off" autoCapitalize="none" spellCheck={false} />
          </Form.Item>
        ) : (
          <Form.Item
            name="torrent"
            label={downloadsText.torrent}
            validateTrigger={['onChange']}
            rules={[{ validator: checkTorrent }]}
          >
            <TorrentField />
          </Form.Item>
        )}
        <Form.Item
          name="folder"
          label={downloadsText.folder}
          extra={<span className={styles.hint}>{downloadsText.folderHint(base)}</span>}
          validateTrigger={['onBlur']}
          rules={[{ validator: checkFolder }]}
        >
          <Input
            maxLength={MAX_FOLDER_LENGTH}
            placeholder={downloadsText.folderPlaceholder}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
        </Form.Item>
        <LimitField name="limit" label={downloadsText.limit} />
        {/* The dialog's button is outside of the form. This one lets Enter submit it. */}
        <button type="submit" hidden aria-hidden tabIndex={-1} />
        {error && <Alert type="error" showIcon title={errorText(error)} />}
        {!error && failed.length > 0 && <Failed of={failed} />}
      </Form>
    </Dialog>
  );
}

function Failed({ of: failed }: { of: DownloadsResult['failed'] }) {
  return (
    <Alert
      type="error"
      showIcon
      title={downloadsText.notAdded(failed.length)}
      description={
        <ul className={styles.failed}>
          {failed.map(({ item, detail }) => (
            <li key={item}>
              <bdi>{item}</bdi> {detail}
            </li>
          ))}
        </ul>
      }
    />
  );
}

async function add(client: DownloadsClient, fields: AddFields): Promise<DownloadsResult> {
  const options = { folder: fields.folder.trim(), download_limit: limitOf(fields.limit) ?? 0 };
  if (fields.way === 'torrent') {
    // The form has checked both.
    if (fields.torrent) await client.addTorrent(fields.torrent, options);
    return { done: 1, failed: [] };
  }
  const read = readLinks(fields.links);
  return await client.addLinks({ links: read.type === 'links' ? read.links : [], ...options });
}

async function checkLinks(_rule: unknown, text: string): Promise<void> {
  const read = readLinks(text);
  if (read.type === 'wrong') throw new Error(downloadsText.linkWrong(read.line));
  if (read.type === 'too-many') throw new Error(downloadsText.linksTooMany(MAX_LINKS));
  await Promise.resolve();
}

async function requireLinks(_rule: unknown, text: string): Promise<void> {
  if (readLinks(text).type === 'none') throw new Error(downloadsText.linksRequired);
  await Promise.resolve();
}

async function checkTorrent(_rule: unknown, file: File | null): Promise<void> {
  if (file === null) throw new Error(downloadsText.torrentRequired);
  if (file.size > MAX_TORRENT_BYTES) throw new Error(downloadsText.torrentTooLarge);
  await Promise.resolve();
}

async function checkFolder(_rule: unknown, folder: string): Promise<void> {
  if (!isInnerFolder(folder.trim())) throw new Error(downloadsText.folderWrong);
  await Promise.resolve();
}
