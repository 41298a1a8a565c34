import { useMutation, useQuery } from '@tanstack/react-query';
import { Alert, Form, Spin } from 'antd';
import type { DownloadLimits } from '@tongtu/contract';
import { errorText } from '../../../../api/index.ts';
import { downloadsText } from '../../../../text/cloud-apps/downloads.ts';
import { Dialog } from '../../../../ui/dialog/dialog.tsx';
import { useSubmit } from '../../../../ui/fields/use-submit.ts';
import { LoadFailure } from '../../../../ui/page/load-failure.tsx';
import { useToast } from '../../../../ui/use-toast.ts';
import type { DownloadsClient } from '../downloads-client.ts';
import { LimitField } from './limit-field.tsx';
import { limitOf, type TypedLimit, typedLimit } from './speed-limit.ts';

const widthPx = 420;

type LimitsDialogProps = { client: DownloadsClient; onClose: () => void };
type LimitsFields = { download: TypedLimit; upload: TypedLimit };

/** The limits of all downloads together, as aria2 has them now. */
export function LimitsDialog({ client, onClose }: LimitsDialogProps) {
  const query = useQuery({
    queryKey: ['download-limits', client.id],
    queryFn: async ({ signal }) => await client.readLimits(signal),
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
  const [form] = Form.useForm<LimitsFields>();
  const toast = useToast();
  const { mutateAsync, error, isPending } = useMutation({ mutationFn: client.setLimits });
  const submit = useSubmit({
    send: async (limits: DownloadLimits) => await mutateAsync(limits),
    onSuccess: () => toast.success(downloadsText.saved),
    onFormDone: onClose,
    onUnseenFailure: (failure) => toast.error(errorText(failure)),
  });
  return (
    <Dialog
      title={downloadsText.limitsTitle}
      width={widthPx}
      okText={downloadsText.save}
      okButtonProps={{ disabled: query.data === undefined }}
      confirmLoading={isPending}
      onOk={() => form.submit()}
      onClose={onClose}
    >
      {query.isPending && <Spin />}
      {query.error && <LoadFailure title={downloadsText.limitsFailed} text={errorText(query.error)} query={query} />}
      {query.data && (
        <Form<LimitsFields>
          form={form}
          layout="vertical"
          requiredMark={false}
          initialValues={{
            download: typedLimit(query.data.download_limit),
            upload: typedLimit(query.data.upload_limit),
          }}
          onFinish={({ download, upload }) =>
            void submit({ download_limit: limitOf(download) ?? 0, upload_limit: limitOf(upload) ?? 0 })
          }
        >
          <LimitField name="download" label={downloadsText.limit} />
          <LimitField name="upload" label={downloadsText.uploadLimit} />
          <button type="submit" hidden aria-hidden tabIndex={-1} />
          {error && <Alert type="error" showIcon title={errorText(error)} />}
        </Form>
      )}
    </Dialog>
  );
}
