import { kindsOfGroup } from '@tongtu/contract/app-kinds';
import { nameEncodings } from '@tongtu/contract/byte-names';
import { Checkbox, Form, Input, Radio } from 'antd';
import type { CloudApp, Device } from '@tongtu/contract';
import { MAX_APP_PATH_LENGTH, MAX_NAME_LENGTH } from '@tongtu/contract/limits';
import { useEffect, useState } from 'react';
import { errorText } from '../../../../api/index.ts';
import { openPath } from '../../../../routing/paths.ts';
import { appFormText } from '../../../../text/cloud-apps/app-form.ts';
import { appKindWords } from '../../../../text/cloud-apps/cloud-apps.ts';
import { plainName } from '../../../../text/devices/names.ts';
import { Dialog } from '../../../../ui/dialog/dialog.tsx';
import { useSubmit } from '../../../../ui/fields/use-submit.ts';
import { useToast } from '../../../../ui/use-toast.ts';
import { Problem } from '../../../confirm/problem.tsx';
import dialogStyles from '../../mapping-dialog/mapping-dialog.module.css';
import { useCreateApp, useUpdateApp } from '../use-cloud-apps.ts';
import { AddressField } from './address-field.tsx';
import styles from './app-dialog.module.css';
import { hasOtherTarget, isChanged, toCreate, toPatch } from './app-body.ts';
import { type AppFields, emptyFields, fieldsOf, isShown } from './app-fields.ts';
import { HostKeyField } from './host-key-field.tsx';
import { LoginFields } from './login-fields.tsx';
import { MacField } from './mac-field.tsx';
import { messagesByField } from './messages-by-field.ts';

const dialogWidthPx = 560;

/** The app to change, or the device and the tab to add one to. */
type AppDialogOf = { app: CloudApp } | { device: Device; group: 'app' | 'files'; prefill?: Partial<AppFields> };
type AppDialogProps = { of: AppDialogOf; onClose: () => void };

function initialFields(of: AppDialogOf): AppFields {
  if ('app' in of) return fieldsOf(of.app);
  const [kind = 'ssh'] = kindsOfGroup(of.group);
  return { ...emptyFields(kind), ...of.prefill };
}

function titleOf(of: AppDialogOf): string {
  if ('app' in of) return appFormText.editTitle(of.app.name);
  return appFormText.titleOfDevice(appFormText.createTitle[of.group], of.device.name);
}

function useSaveApp({ of, onClose }: AppDialogProps, initial: AppFields) {
  const toast = useToast();
  const create = useCreateApp();
  const update = useUpdateApp();

  function report(saved: CloudApp) {
    if ('app' in of) toast.success(appFormText.saved);
    else toast.successWithLink(appFormText.created, { text: plainName(saved.name), url: `#${openPath(saved)}` });
  }

  const save = useSubmit({
    send: (fields: AppFields) =>
      'app' in of
        ? update.mutateAsync({ id: of.app.id, patch: toPatch(fields, initial) })
        : create.mutateAsync(toCreate(of.device.id, fields)),
    onSuccess: report,
    onFormDone: onClose,
    onUnseenFailure: (error) => toast.error(errorText(error)),
  });
  return { save, error: update.error ?? create.error, isPending: create.isPending || update.isPending };
}

/** Adds or changes a cloud app. */
export function AppDialog(props: AppDialogProps) {
  const { of, onClose } = props;
  const app = 'app' in of ? of.app : undefined;
  const [form] = Form.useForm<AppFields>();
  const [initial] = useState(() => initialFields(of));
  // Until the form is mounted, its values are unknown.
  const fields = { ...initial, ...Form.useWatch<AppFields>([], { form, preserve: true }) };
  const { save, error, isPending } = useSaveApp(props, initial);
  const isAtField = messagesByField(error).some(({ name }) => isShown(name, fields));

  useEffect(() => {
    form.setFields(messagesByField(error));
  }, [form, error]);

  return (
    <Dialog
      title={titleOf(of)}
      width={dialogWidthPx}
      className={dialogStyles.dialog ?? ''}
      okText={app ? appFormText.save : appFormText.create}
      confirmLoading={isPending}
      onOk={() => form.submit()}
      onClose={onClose}
      hasUnsavedInput={() => isChanged({ ...initial, ...form.getFieldsValue(true) }, initial)}
      isMaskInert
    >
      <Form<AppFields>
        form={form}
        layout="vertical"
        requiredMark={false}
        initialValues={initial}
        onFinish={() => void save({ ...initial, ...form.getFieldsValue(true) })}
        className={styles.form ?? ''}
      >
        {'group' in of && <KindField group={of.group} />}
        <Form.Item
          name="name"
          label={appFormText.name}
          validateTrigger={['onBlur']}
          rules={[{ required: true, whitespace: true, message: appFormText.nameRequired, validateTrigger: 'onSubmit' }]}
        >
          <Input maxLength={MAX_NAME_LENGTH} placeholder={appFormText.namePlaceholder} autoComplete="off" />
        </Form.Item>
        <AddressField form={form} fields={fields} />
        <LoginFields fields={fields} app={app} hasOtherTarget={hasOtherTarget(fields, initial)} />
        {fields.kind === 'wol' && <p className={styles.note}>{appFormText.wolNote}</p>}
        {fields.kind === 'rdp' && <p className={styles.note}>{appFormText.rdpNote}</p>}
        {isShown('password', fields) && (
          <p className={styles.note}>{fields.kind === 'aria2' ? appFormText.aria2Note : appFormText.secretsNote}</p>
        )}
        <PlaceFields fields={fields} />
        <MacField kind={fields.kind} />
        {app?.host_key && (
          <Form.Item name="hostKey" label={appFormText.hostKey} extra={appFormText.hostKeyHint}>
            <HostKeyField stored={app.host_key} />
          </Form.Item>
        )}
        <CheckField name="needsSecondFactor" label={appFormText.secondFactor} hint={appFormText.secondFactorHint} />
        {/* The dialog's button is outside of the form. This one lets Enter submit it. */}
        <button type="submit" hidden aria-hidden tabIndex={-1} />
        {!isAtField && <Problem error={error} />}
      </Form>
    </Dialog>
  );
}

function KindField({ group }: { group: 'app' | 'files' }) {
  return (
    <Form.Item name="kind" label={appFormText.kind}>
      <Radio.Group
        className={styles.kinds ?? ''}
        options={kindsOfGroup(group).map((kind) => ({ value: kind, label: appKindWords[kind] }))}
      />
    </Form.Item>
  );
}

const encodingOptions = (['utf-8', 'gbk', 'big5'] as const).map((value) => ({
  value,
  label: appFormText.encodings[value],
}));
const nameEncodingOptions = nameEncodings.map((value) => ({ value, label: appFormText.nameEncodings[value] }));

/** What is shown first, and how the target speaks. */
function PlaceFields({ fields }: { fields: AppFields }) {
  return (
    <>
      {isShown('path', fields) && (
        <Form.Item
          name="path"
          label={appFormText.pathLabel[fields.kind] ?? appFormText.path}
          extra={appFormText.pathHint[fields.kind]}
        >
          <Input maxLength={MAX_APP_PATH_LENGTH} autoComplete="off" autoCapitalize="none" spellCheck={false} />
        </Form.Item>
      )}
      {isShown('encoding', fields) && (
        <Form.Item
          name="encoding"
          label={appFormText.encodingLabel[fields.kind] ?? appFormText.encoding}
          extra={appFormText.encodingHint[fields.kind]}
        >
          <Radio.Group options={encodingOptions} />
        </Form.Item>
      )}
      {isShown('nameEncoding', fields) && (
        <Form.Item name="nameEncoding" label={appFormText.nameEncoding} extra={appFormText.nameEncodingHint}>
          <Radio.Group options={nameEncodingOptions} />
        </Form.Item>
      )}
      {isShown('tls', fields) && <CheckField name="tls" label={appFormText.tls} hint={appFormText.tlsHint} />}
      {isShown('oldAlgorithms', fields) && (
        <CheckField name="oldAlgorithms" label={appFormText.oldAlgorithms} hint={appFormText.oldAlgorithmsHint} />
      )}
    </>
  );
}

type CheckFieldProps = { name: 'tls' | 'oldAlgorithms' | 'needsSecondFactor'; label: string; hint: string };

function CheckField({ name, label, hint }: CheckFieldProps) {
  return (
    <Form.Item name={name} valuePropName="checked" extra={<span className={styles.checkHint}>{hint}</span>}>
      <Checkbox>{label}</Checkbox>
    </Form.Item>
  );
}
