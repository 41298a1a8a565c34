import { Form, Input, InputNumber, Switch } from 'antd';
import type { ManagedSiteEntry } from '@tongtu/contract';
import {
  MAX_QR_TEXT_LENGTH,
  MAX_SITE_ENTRY_DETAIL_LENGTH,
  MAX_SITE_ENTRY_TITLE_LENGTH,
  MAX_URL_LENGTH,
} from '@tongtu/contract/limits';
import { useState } from 'react';
import { errorText } from '../../../api/index.ts';
import { siteEntriesText } from '../../../text/management/site-entries.ts';
import { DisplayTimes } from '../../../ui/date-field/display-times.tsx';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { forgetFailure } from '../../../ui/fields/forget-failure.ts';
import { useSubmit } from '../../../ui/fields/use-submit.ts';
import { BannerCard } from '../../../ui/site-entries/banner-card.tsx';
import { CommunityCard } from '../../../ui/site-entries/community-card.tsx';
import { webLink } from '../../../ui/site-entries/web-link.ts';
import { useToast } from '../../../ui/use-toast.ts';
import { Problem } from '../../confirm/problem.tsx';
import styles from '../frame/frame.module.css';
import { ImageField } from './image-field.tsx';
import { bodyOf, type ChosenImage, fieldsOf, type SiteEntryFields } from './site-entry-form.ts';
import { useSaveSiteEntry } from './use-site-entries.ts';

const maxPosition = 10_000;

type SiteEntryDialogProps = {
  kind: ManagedSiteEntry['kind'];
  entry: ManagedSiteEntry | undefined;
  onClose: () => void;
};

/** Creates or changes a banner, group or link, with a preview. */
export function SiteEntryDialog({ kind, entry, onClose }: SiteEntryDialogProps) {
  const [form] = Form.useForm<SiteEntryFields>();
  const [chosen, setChosen] = useState<ChosenImage>();
  const initial = fieldsOf(entry);
  const fields = { ...initial, ...Form.useWatch([], form) };
  const image = chosen === undefined ? (entry?.image ?? '') : (chosen?.dataUrl ?? '');
  const save = useSaveSiteEntry(entry);
  const toast = useToast();
  const submit = useSubmit({
    send: (sent: SiteEntryFields) => save.mutateAsync(bodyOf({ kind, fields: { ...initial, ...sent }, chosen })),
    onSuccess: ({ title }) => toast.success(siteEntriesText.saved(title)),
    onFormDone: onClose,
    onUnseenFailure: (error) => toast.error(errorText(error)),
  });
  return (
    <Dialog
      title={entry ? siteEntriesText.edit[kind] : siteEntriesText.add[kind]}
      okText={siteEntriesText.save}
      confirmLoading={save.isPending}
      onOk={() => form.submit()}
      onClose={onClose}
      isMaskInert
    >
      <Form<SiteEntryFields>
        form={form}
        name="site-entry"
        layout="vertical"
        requiredMark={false}
        initialValues={initial}
        onFinish={(sent) => void submit(sent)}
        onValuesChange={() => forgetFailure(save)}
      >
        <Texts kind={kind} />
        <ImageField
          hasImage={image !== ''}
          onChoose={(choice) => {
            setChosen(choice);
            forgetFailure(save);
          }}
        />
        <DisplayTimes />
        <Form.Item
          name="position"
          label={siteEntriesText.position}
          rules={[
            { required: true, type: 'integer', min: 0, max: maxPosition, message: siteEntriesText.positionRange },
          ]}
        >
          <InputNumber precision={0} controls={false} className={styles.number ?? ''} />
        </Form.Item>
        <Form.Item name="display" valuePropName="checked" label={siteEntriesText.display}>
          <Switch aria-label={siteEntriesText.display} />
        </Form.Item>
        <Form.Item label={siteEntriesText.preview}>
          <div data-testid="preview">
            <Preview kind={kind} fields={fields} image={image} />
          </div>
        </Form.Item>
      </Form>
      <Problem error={save.error} />
    </Dialog>
  );
}

type PreviewProps = { kind: ManagedSiteEntry['kind']; fields: SiteEntryFields; image: string };

function Preview({ kind, fields, image }: PreviewProps) {
  const title = fields.title.trim() || siteEntriesText.name;
  if (kind === 'banner') return <BannerCard title={title} image={image} url={fields.url} />;
  const { detail, qrText, url } = fields;
  return <CommunityCard title={title} detail={detail.trim()} image={image} qrText={qrText.trim()} url={url} />;
}

function Texts({ kind }: { kind: ManagedSiteEntry['kind'] }) {
  return (
    <>
      <Form.Item
        name="title"
        label={siteEntriesText.name}
        rules={[{ required: true, whitespace: true, message: siteEntriesText.nameRequired }]}
      >
        <Input maxLength={MAX_SITE_ENTRY_TITLE_LENGTH} />
      </Form.Item>
      {kind === 'community' && (
        <>
          <Form.Item name="detail" label={siteEntriesText.detail}>
            <Input.TextArea maxLength={MAX_SITE_ENTRY_DETAIL_LENGTH} autoSize={{ minRows: 2, maxRows: 6 }} />
          </Form.Item>
          <Form.Item name="qrText" label={siteEntriesText.qrText} extra={siteEntriesText.qrTextHint}>
            <Input maxLength={MAX_QR_TEXT_LENGTH} />
          </Form.Item>
        </>
      )}
      <Form.Item
        name="url"
        label={siteEntriesText.url}
        extra={siteEntriesText.urlHint}
        rules={[{ validator: async (_rule, url: string) => assertWebLink(url) }]}
      >
        <Input maxLength={MAX_URL_LENGTH} inputMode="url" placeholder="https://" />
      </Form.Item>
    </>
  );
}

function assertWebLink(url: string): void {
  if (url.trim() !== '' && webLink(url) === undefined) throw new Error(siteEntriesText.urlWrong);
}
