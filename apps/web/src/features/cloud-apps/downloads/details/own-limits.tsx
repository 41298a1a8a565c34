import { useMutation } from '@tanstack/react-query';
import { Alert, Button, Form } from 'antd';
import type { DownloadDetails, DownloadSettings } from '@tongtu/contract';
import { errorText } from '../../../../api/index.ts';
import { downloadsText } from '../../../../text/cloud-apps/downloads.ts';
import { useToast } from '../../../../ui/use-toast.ts';
import { LimitField } from '../limits/limit-field.tsx';
import { limitOf, type TypedLimit, typedLimit } from '../limits/speed-limit.ts';
import styles from './details.module.css';

type OwnLimitsProps = {
  details: DownloadDetails;
  isTorrent: boolean;
  onSave: (settings: Omit<DownloadSettings, 'id'>) => Promise<void>;
};

type LimitsFields = { ownDownload: TypedLimit; ownUpload?: TypedLimit };

/** The limits of one download. */
export function OwnLimits({ details, isTorrent, onSave }: OwnLimitsProps) {
  const toast = useToast();
  const { mutate, error, isPending } = useMutation({
    mutationFn: onSave,
    onSuccess: () => toast.success(downloadsText.saved),
  });
  return (
    <Form<LimitsFields>
      layout="vertical"
      requiredMark={false}
      className={styles.limits ?? ''}
      initialValues={{
        ownDownload: typedLimit(details.download_limit),
        ...(isTorrent && { ownUpload: typedLimit(details.upload_limit) }),
      }}
      onFinish={({ ownDownload, ownUpload }) =>
        mutate({
          download_limit: limitOf(ownDownload) ?? 0,
          ...(ownUpload && { upload_limit: limitOf(ownUpload) ?? 0 }),
        })
      }
    >
      <LimitField name="ownDownload" label={downloadsText.limit} />
      {isTorrent && <LimitField name="ownUpload" label={downloadsText.uploadLimit} />}
      <Button htmlType="submit" loading={isPending}>
        {downloadsText.save}
      </Button>
      {error && <Alert type="error" showIcon title={errorText(error)} />}
    </Form>
  );
}
