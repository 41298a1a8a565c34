import { Alert, Form, Input } from 'antd';
import type { Device, Mapping } from '@tongtu/contract';
import { isKnownService, presetOptions } from '@tongtu/contract/known-services';
import type { LanKind } from '@tongtu/contract/lan-kinds';
import { MAX_REMARK_LENGTH } from '@tongtu/contract/limits';
import { useEffect, useEffectEvent, useState } from 'react';
import { errorText } from '../../../api/index.ts';
import { shownUrl } from '../../../address/shown-host.ts';
import { frpcText } from '../../../text/devices/frpc.ts';
import { frpcShownText } from '../../../text/devices/frpc-shown.ts';
import { mappingFormText } from '../../../text/devices/mapping-form.ts';
import { sharedText } from '../../../text/shared.ts';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { SubmitOnEnter } from '../../../ui/fields/submit-on-enter.tsx';
import { useSubmit } from '../../../ui/fields/use-submit.ts';
import { toMistake } from '../../../ui/theme/component-config.ts';
import { useToast } from '../../../ui/use-toast.ts';
import { Problem } from '../../confirm/problem.tsx';
import { shownName, visitorUrl } from '../mapping-address.ts';
import { useSavedMapping } from '../saved-mapping.ts';
import { useCreateMapping, useUpdateMapping } from '../use-devices.ts';
import { AdvancedOptions } from './advanced-options.tsx';
import { domainProofOf } from '../own-domain/domain-proof.ts';
import { GroupField } from './fields/group-field.tsx';
import { toCreate, toPatch } from './mapping-body.ts';
import {
  hasAdvancedChoices,
  initialFields,
  isAdvanced,
  isChanged,
  isShown,
  type MappingFields,
} from './mapping-fields.ts';
import { messagesByField } from './messages-by-field.ts';
import { PlanLack } from './plan-lack.tsx';
import { PolicyField } from './fields/policy-field.tsx';
import { PresetRow } from './preset-row.tsx';
import { PublicAddressField } from './fields/public-address-field.tsx';
import { TargetField } from './fields/target-field.tsx';
import styles from './mapping-dialog.module.css';

const dialogWidthPx = 600;
/** Like `toMistake` for a failure that no field has caused. It stands below the last field. */
function showFailure(failure: HTMLElement | null): void {
  failure?.scrollIntoView({ block: 'nearest' });
}

type MappingDialogProps = {
  device: Device;
  devices: readonly Device[];
  /** Absent: the dialog creates a mapping. */
  mapping?: Mapping;
  /** What a new mapping begins with. */
  prefill?: Partial<MappingFields>;
  /** What `prefill` leads to. */
  service?: LanKind;
  onClose: () => void;
};

/** Whether a browser can open the new address immediately. */
function isOpenable({ kind, policy, tls_passthrough, dns }: Mapping): boolean {
  return dns?.state !== 'waiting' && policy !== 'closed' && (kind === 'http' || (kind === 'https' && !tls_passthrough));
}

function createdText(mapping: Mapping): string {
  const { policy, dns } = mapping;
  const url = shownUrl(visitorUrl(mapping));
  if (dns?.state === 'waiting') return mappingFormText.createdWaiting(shownName(mapping));
  return policy === 'owner' ? mappingFormText.createdLocked(url) : mappingFormText.createdPort(url);
}

function useSaveMapping({ device, mapping, onClose }: MappingDialogProps, initial: MappingFields) {
  const toast = useToast();
  const [known] = useState(device.mappings);
  const create = useCreateMapping(known);
  const update = useUpdateMapping();
  const { mark } = useSavedMapping();

  function report(saved: Mapping) {
    mark(saved.id);
    if (mapping) toast.success(mappingFormText.saved);
    else if (isOpenable(saved))
      toast.successWithLink(mappingFormText.created, { text: shownUrl(visitorUrl(saved)), url: visitorUrl(saved) });
    else toast.success(createdText(saved));
  }

  const save = useSubmit({
    send: (fields: MappingFields): Promise<Mapping> =>
      mapping
        ? update.mutateAsync({ id: mapping.id, patch: toPatch(fields, initial) })
        : create.mutateAsync(toCreate(device.id, fields)),
    onSuccess: report,
    onFormDone: onClose,
    onUnseenFailure: (error) => toast.error(errorText(error)),
  });

  return { save, error: mapping ? update.error : create.error, isPending: create.isPending || update.isPending };
}

/** Creates or changes a mapping. */
export function MappingDialog(props: MappingDialogProps) {
  const { device, devices, mapping, prefill, onClose } = props;
  const [form] = Form.useForm<MappingFields>();
  const known = isKnownService(props.service) ? props.service : undefined;
  const [initial] = useState(() => ({
    ...initialFields(mapping),
    ...prefill,
    ...(prefill?.group === 'web' ? presetOptions(known) : {}),
  }));
  // Until the form is mounted, its values are unknown.
  const fields = { ...initial, ...Form.useWatch<MappingFields>([], { form, preserve: true }) };
  const [service, setService] = useState(known);
  const [isAdvancedOpen, setIsAdvancedOpen] = useState(() => hasAdvancedChoices(initial));
  const { save, error, isPending } = useSaveMapping(props, initial);
  const proxy = mapping?.frpc_proxy ?? null;
  const refused = messagesByField(error).map(({ name }) => name);
  const firstRefused = refused.find((name) => isShown(name, fields));
  const takenPrefixes = new Set(devices.flatMap((each) => each.mappings.flatMap(({ prefix }) => prefix ?? [])));

  const [seenError, setSeenError] = useState<Error | null>(null);
  if (error !== seenError) {
    setSeenError(error);
    if (refused.some(isAdvanced)) setIsAdvancedOpen(true);
  }

  const showRefusals = useEffectEvent((failure: Error | null) => {
    form.setFields(messagesByField(failure));
    if (firstRefused !== undefined) form.scrollToField(firstRefused, toMistake);
  });
  useEffect(() => showRefusals(error), [error]);

  return (
    <Dialog
      title={mapping ? mappingFormText.editTitle : mappingFormText.createTitle(device.name)}
      width={dialogWidthPx}
      className={styles.dialog ?? ''}
      okText={mapping ? mappingFormText.save : mappingFormText.create}
      confirmLoading={isPending}
      onOk={() => form.submit()}
      onClose={onClose}
      hasUnsavedInput={() => isChanged(form.getFieldsValue(true), initial)}
      isMaskInert
    >
      <Form<MappingFields>
        form={form}
        layout="vertical"
        requiredMark={false}
        initialValues={initial}
        onFinish={() => void save(form.getFieldsValue(true))}
        onFinishFailed={({ errorFields }) => {
          if (errorFields.some(({ name }) => isAdvanced(String(name[0])))) setIsAdvancedOpen(true);
        }}
        className={styles.form ?? ''}
      >
        <PlanLack device={device} isNew={!mapping} />
        {device.program === 'frpc' && (
          <Alert
            type={fields.group === 'port' ? 'warning' : 'info'}
            showIcon
            title={frpcText.limitsTitle}
            description={frpcText.limits}
            className={styles.notice ?? ''}
          />
        )}
        {!mapping && <GroupField form={form} group={fields.group} />}
        {!mapping && (
          <PresetRow
            form={form}
            group={fields.group}
            takenPrefixes={takenPrefixes}
            service={service}
            onService={setService}
          />
        )}
        {proxy === null ? (
          <>
            <TargetField form={form} fields={fields} isNew={!mapping} />
            <PublicAddressField
              form={form}
              fields={fields}
              suffix={device.server.suffix}
              isNew={!mapping}
              addresses={mapping?.dns?.addresses ?? []}
              proof={domainProofOf(error)}
            />
          </>
        ) : (
          <Alert
            type="info"
            showIcon
            title={frpcShownText.managedTitle(proxy)}
            description={frpcShownText.managedHint}
            className={styles.notice ?? ''}
          />
        )}
        <PolicyField form={form} fields={fields} hasPassword={mapping?.has_password ?? false} />
        <Form.Item
          name="remark"
          label={mappingFormText.remark}
          rules={[{ max: MAX_REMARK_LENGTH, message: sharedText.tooLong(MAX_REMARK_LENGTH) }]}
        >
          <Input placeholder={mappingFormText.remarkPlaceholder} />
        </Form.Item>
        <AdvancedOptions
          fields={fields}
          isManagedByFrpc={proxy !== null}
          isOpen={isAdvancedOpen}
          onToggle={setIsAdvancedOpen}
        />
        <SubmitOnEnter />
        {error && firstRefused === undefined && (
          <div ref={showFailure}>
            <Problem error={error} />
          </div>
        )}
      </Form>
    </Dialog>
  );
}
