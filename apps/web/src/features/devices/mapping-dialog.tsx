import { Alert, App, Form, Input, Modal } from 'antd';
import type { Device, Mapping } from '@tongtu/contract';
import { useEffect } from 'react';
import { errorText } from '../../api/index.ts';
import { mappingText } from '../../text/devices.ts';
import { initialFields, type MappingFields, messagesByField, toTarget } from './mapping-fields.ts';
import { PolicyField } from './policy-field.tsx';
import { PrefixField } from './prefix-field.tsx';
import { PresetRow } from './preset-row.tsx';
import { TargetField } from './target-field.tsx';
import { useCreateMapping, useUpdateMapping } from './use-devices.ts';
import styles from './mapping-dialog.module.css';

const dialogWidthPx = 600;
const maxRemarkLength = 100;

type MappingDialogProps = {
  device: Device;
  devices: readonly Device[];
  /** Absent: a mapping is made. */
  mapping?: Mapping;
  onClose: () => void;
};

function useSaveMapping({ device, mapping, onClose }: MappingDialogProps) {
  const { message } = App.useApp();
  const create = useCreateMapping();
  const update = useUpdateMapping();

  function save(fields: MappingFields) {
    const { prefix, policy } = fields;
    const body = { prefix, kind: fields.kind, target: toTarget(fields), policy, remark: fields.remark ?? '' };
    if (mapping) {
      const onSuccess = () => {
        void message.success(mappingText.saved);
        onClose();
      };
      return update.mutate({ id: mapping.id, patch: body }, { onSuccess });
    }
    const onSuccess = (made: Mapping) => {
      void message.success(mappingText.created(made.url));
      onClose();
    };
    return create.mutate({ router: device.id, ...body }, { onSuccess });
  }

  return { save, error: mapping ? update.error : create.error, isPending: create.isPending || update.isPending };
}

/** Makes or changes a mapping: which address, leading where, for whom. */
export function MappingDialog(props: MappingDialogProps) {
  const { device, devices, mapping, onClose } = props;
  const [form] = Form.useForm<MappingFields>();
  const { save, error, isPending } = useSaveMapping(props);
  const atFields = messagesByField(error);
  const takenPrefixes = new Set(devices.flatMap((each) => each.mappings.map((own) => own.prefix)));

  useEffect(() => {
    form.setFields(messagesByField(error));
  }, [form, error]);

  return (
    <Modal
      open
      title={mapping ? mappingText.editTitle : mappingText.createTitle(device.name)}
      width={dialogWidthPx}
      okText={mapping ? mappingText.save : mappingText.create}
      confirmLoading={isPending}
      onOk={() => form.submit()}
      onCancel={onClose}
      mask={{ closable: false }}
    >
      <Form<MappingFields>
        form={form}
        layout="vertical"
        requiredMark={false}
        initialValues={initialFields(mapping)}
        onFinish={save}
        className={styles.form ?? ''}
      >
        {!mapping && <PresetRow form={form} takenPrefixes={takenPrefixes} />}
        <TargetField form={form} />
        <PrefixField suffix={device.server.suffix} />
        <PolicyField />
        <Form.Item name="remark" label={mappingText.remark}>
          <Input placeholder={mappingText.remarkPlaceholder} maxLength={maxRemarkLength} />
        </Form.Item>
        {/* The dialog's own button stands outside of the form; this one lets Enter send it. */}
        <button type="submit" hidden aria-hidden tabIndex={-1} />
        {error && atFields.length === 0 && <Alert type="error" showIcon title={errorText(error)} />}
      </Form>
    </Modal>
  );
}
