import { Form, Input, Switch } from 'antd';
import type { ManagedAnnouncement } from '@tongtu/contract';
import { MAX_ANNOUNCEMENT_DETAIL_LENGTH, MAX_ANNOUNCEMENT_TITLE_LENGTH, MAX_URL_LENGTH } from '@tongtu/contract/limits';
import { useEffect, useRef } from 'react';
import { errorCode, errorText, fieldErrors } from '../../api/index.ts';
import { announcementPageText } from '../../text/announcement-page.ts';
import { sharedText } from '../../text/shared.ts';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { DisplayTimes } from '../../ui/date-field/display-times.tsx';
import { useSubmit } from '../../ui/fields/use-submit.ts';
import { useToast } from '../../ui/use-toast.ts';
import { Problem } from '../confirm/problem.tsx';
import { bodyOf, emptyFields, fieldsOf, type AnnouncementFields } from './announcement-form.ts';
import { AnnouncementLine, linkTo } from './announcement-line.tsx';
import styles from './announcements-page.module.css';
import { EditConflict } from './edit-conflict.tsx';
import { useSaveAnnouncement } from './use-managed-announcements.ts';

const fieldNames: Record<string, keyof AnnouncementFields> = {
  title: 'title',
  detail: 'detail',
  url: 'url',
  starts_at: 'startsAt',
  ends_at: 'endsAt',
};

function messagesByField(error: unknown): { name: keyof AnnouncementFields; errors: string[] }[] {
  return Object.entries(fieldErrors(error)).flatMap(([name, errors]) => {
    const field = fieldNames[name];
    return field === undefined ? [] : [{ name: field, errors }];
  });
}

async function checkUrl(_rule: unknown, url: string): Promise<void> {
  if (url.trim() !== '' && (!/^https?:\/\//i.test(url.trim()) || linkTo(url) === undefined)) {
    throw new Error(announcementPageText.urlWrong);
  }
}

function Preview({ fields }: { fields: AnnouncementFields }) {
  return (
    <Form.Item label={announcementPageText.preview}>
      <ol className={styles.preview} data-testid="preview">
        <AnnouncementLine
          announcement={{ ...fields, title: fields.title.trim() || announcementPageText.announcementTitle }}
        />
      </ol>
    </Form.Item>
  );
}

type AnnouncementEditorProps = { announcement: ManagedAnnouncement | undefined; onClose: () => void };

/** Creates or changes an announcement, with a preview. */
export function AnnouncementEditor({ announcement, onClose }: AnnouncementEditorProps) {
  const [form] = Form.useForm<AnnouncementFields>();
  const initial = announcement ? fieldsOf(announcement) : emptyFields;
  const fields = { ...initial, ...Form.useWatch([], form) };
  const toast = useToast();
  const save = useSaveAnnouncement();
  // A ref, because the form submits synchronously, before a render.
  const seen = useRef(announcement);
  const hasChanged = errorCode(save.error) === 'announcement.changed';

  useEffect(() => {
    form.setFields(messagesByField(save.error));
  }, [form, save.error]);

  const submit = useSubmit({
    send: (sent: AnnouncementFields) => save.mutateAsync({ body: bodyOf(sent), seen: seen.current }),
    onSuccess: () => toast.success(announcement ? announcementPageText.saved : announcementPageText.published),
    onFormDone: onClose,
    onUnseenFailure: (error) => toast.error(errorText(error)),
  });

  function load(latest: ManagedAnnouncement) {
    seen.current = latest;
    form.setFieldsValue(fieldsOf(latest));
    save.reset();
  }

  function keep(latest: ManagedAnnouncement) {
    seen.current = latest;
    form.submit();
  }

  return (
    <Dialog
      title={announcement ? announcementPageText.editTitle : announcementPageText.addTitle}
      okText={announcement ? announcementPageText.save : announcementPageText.publish}
      cancelText={sharedText.cancel}
      confirmLoading={save.isPending}
      onOk={form.submit}
      onClose={onClose}
      isMaskInert
    >
      <Form
        form={form}
        layout="vertical"
        requiredMark={false}
        initialValues={initial}
        onFinish={(sent) => void submit(sent)}
      >
        <Form.Item
          name="title"
          label={announcementPageText.announcementTitle}
          rules={[{ required: true, whitespace: true, message: announcementPageText.titleRequired }]}
        >
          <Input maxLength={MAX_ANNOUNCEMENT_TITLE_LENGTH} autoFocus />
        </Form.Item>
        <Form.Item
          name="detail"
          label={announcementPageText.detail}
          rules={[{ required: true, whitespace: true, message: announcementPageText.detailRequired }]}
        >
          <Input.TextArea maxLength={MAX_ANNOUNCEMENT_DETAIL_LENGTH} autoSize={{ minRows: 3, maxRows: 10 }} showCount />
        </Form.Item>
        <Form.Item
          name="url"
          label={announcementPageText.url}
          extra={announcementPageText.urlHint}
          rules={[{ validator: checkUrl }]}
        >
          <Input maxLength={MAX_URL_LENGTH} inputMode="url" placeholder="https://" />
        </Form.Item>
        <DisplayTimes />
        <Form.Item name="display" valuePropName="checked" label={announcementPageText.display}>
          <Switch aria-label={announcementPageText.display} />
        </Form.Item>
        <Preview fields={fields} />
        {announcement && hasChanged && (
          <EditConflict id={announcement.id} error={save.error} onLoad={load} onKeep={keep} />
        )}
        {save.isError && !hasChanged && messagesByField(save.error).length === 0 && <Problem error={save.error} />}
      </Form>
    </Dialog>
  );
}
