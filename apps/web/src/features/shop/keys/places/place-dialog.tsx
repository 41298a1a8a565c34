import { Form, Input } from 'antd';
import type { Place } from '@tongtu/contract';
import { MAX_NAME_LENGTH, MAX_REMARK_LENGTH } from '@tongtu/contract/limits';
import { errorText } from '../../../../api/index.ts';
import { placesText } from '../../../../text/shop/keys.ts';
import { Dialog } from '../../../../ui/dialog/dialog.tsx';
import { forgetFailure } from '../../../../ui/fields/forget-failure.ts';
import { SubmitOnEnter } from '../../../../ui/fields/submit-on-enter.tsx';
import { useSubmit } from '../../../../ui/fields/use-submit.ts';
import { useToast } from '../../../../ui/use-toast.ts';
import { Problem } from '../../../confirm/problem.tsx';
import { useSavePlace } from '../use-keys.ts';
import { PromoterField } from './promoter-field.tsx';

type Fields = { name: string; note: string; promoter: number | null };

/** For staff: a new place, or another name, note or promoter. */
export function PlaceDialog({ place, onClose }: { place: Place | undefined; onClose: () => void }) {
  const [form] = Form.useForm<Fields>();
  const save = useSavePlace(place);
  const toast = useToast();
  const submit = useSubmit({
    send: ({ name, note, promoter }: Fields) => save.mutateAsync({ name: name.trim(), note: note.trim(), promoter }),
    onSuccess: ({ name }) => toast.success(placesText.saved(name)),
    onFormDone: onClose,
    onUnseenFailure: (error) => toast.error(errorText(error)),
  });
  return (
    <Dialog
      title={place ? placesText.editLabel(place.name) : placesText.create}
      okText={placesText.save}
      confirmLoading={save.isPending}
      onOk={() => form.submit()}
      onClose={onClose}
    >
      <Form<Fields>
        form={form}
        name="place"
        layout="vertical"
        requiredMark={false}
        initialValues={{ name: place?.name ?? '', note: place?.note ?? '', promoter: place?.promoter?.id ?? null }}
        onFinish={(fields) => void submit(fields)}
        onValuesChange={() => forgetFailure(save)}
      >
        <Form.Item
          name="name"
          label={placesText.name}
          rules={[{ required: true, whitespace: true, message: placesText.nameRequired }]}
        >
          <Input autoFocus autoComplete="off" maxLength={MAX_NAME_LENGTH} />
        </Form.Item>
        <Form.Item name="note" label={placesText.note}>
          <Input autoComplete="off" maxLength={MAX_REMARK_LENGTH} />
        </Form.Item>
        <Form.Item name="promoter" label={placesText.promoter} extra={placesText.promoterHint}>
          <PromoterField present={place?.promoter ?? null} />
        </Form.Item>
        <SubmitOnEnter />
      </Form>
      <Problem error={save.error} />
    </Dialog>
  );
}
