import { Alert, App, Form, Input, Modal } from 'antd';
import type { Device, Mapping } from '@tongtu/contract';
import { type SyntheticEvent, useEffect, useState } from 'react';
import { errorText } from '../../api/index.ts';
import { mappingText } from '../../text/devices.ts';
import { sharedText } from '../../text/shared.ts';
import { useSubmit } from '../../ui/use-submit.ts';
import { useToast } from '../../ui/use-toast.ts';
import { initialFields, isChanged, type MappingFields, messagesByField, toTarget } from './mapping-fields.ts';
import { PolicyField } from './policy-field.tsx';
import { PrefixField } from './prefix-field.tsx';
import { PresetRow } from './preset-row.tsx';
import { TargetField } from './target-field.tsx';
import { useCreateMapping, useUpdateMapping } from './use-devices.ts';
import styles from './mapping-dialog.module.css';

const dialogWidthPx = 600;
/** The contract's limit. */
const maxRemarkLength = 100;

type MappingDialogProps = {
  device: Device;
  devices: readonly Device[];
  /** Absent: a mapping is made. */
  mapping?: Mapping;
  onClose: () => void;
};

function useSaveMapping({ device, mapping, onClose }: MappingDialogProps) {
  const toast = useToast();
  const create = useCreateMapping();
  const update = useUpdateMapping();

  const save = useSubmit({
    send(fields: MappingFields): Promise<Mapping> {
      const { prefix, kind, policy, remark = '' } = fields;
      const body = { prefix, kind, target: toTarget(fields), policy, remark };
      return mapping
        ? update.mutateAsync({ id: mapping.id, patch: body })
        : create.mutateAsync({ router: device.id, ...body });
    },
    onSuccess: (saved) => toast.success(mapping ? mappingText.saved : mappingText.created(saved.url)),
    onFormDone: onClose,
    onUnseenFailure: (error) => toast.error(errorText(error)),
  });

  return { save, error: mapping ? update.error : create.error, isPending: create.isPending || update.isPending };
}

/** Makes or changes a mapping: which address, leading where, for whom. */
export function MappingDialog(props: MappingDialogProps) {
  const { device, devices, mapping, onClose } = props;
  const [form] = Form.useForm<MappingFields>();
  const [initial] = useState(() => initialFields(mapping));
  const { modal } = App.useApp();
  const { save, error, isPending } = useSaveMapping(props);
  const atFields = messagesByField(error);
  const takenPrefixes = new Set(devices.flatMap((each) => each.mappings.flatMap(({ prefix }) => prefix ?? [])));

  useEffect(() => {
    form.setFields(messagesByField(error));
  }, [form, error]);

  function cancel(event: Pick<SyntheticEvent, 'type'>) {
    const isByEscape = event.type === 'keydown';
    if (!isByEscape || !isChanged(form.getFieldsValue(), initial)) return onClose();
    void modal.confirm({
      title: mappingText.discardTitle,
      content: mappingText.discardText,
      okText: mappingText.discard,
      okButtonProps: { danger: true },
      cancelText: mappingText.keepEditing,
      focusable: { autoFocusButton: 'cancel' },
      onOk: onClose,
    });
  }

  return (
    <Modal
      open
      title={mapping ? mappingText.editTitle : mappingText.createTitle(device.name)}
      width={dialogWidthPx}
      okText={mapping ? mappingText.save : mappingText.create}
      confirmLoading={isPending}
      onOk={() => form.submit()}
      onCancel={cancel}
      mask={{ closable: false }}
    >
      <Form<MappingFields>
        form={form}
        layout="vertical"
        requiredMark={false}
        initialValues={initial}
        onFinish={(fields) => void save(fields)}
        className={styles.form ?? ''}
      >
        {!mapping && <PresetRow form={form} takenPrefixes={takenPrefixes} />}
        <TargetField form={form} />
        <PrefixField suffix={device.server.suffix} />
        <PolicyField />
        <Form.Item
          name="remark"
          label={mappingText.remark}
          rules={[{ max: maxRemarkLength, message: sharedText.tooLong(maxRemarkLength) }]}
        >
          <Input placeholder={mappingText.remarkPlaceholder} />
        </Form.Item>
        {/* The dialog's own button stands outside of the form; this one lets Enter send it. */}
        <button type="submit" hidden aria-hidden tabIndex={-1} />
        {error && atFields.length === 0 && <Alert type="error" showIcon title={errorText(error)} />}
      </Form>
    </Modal>
  );
}
