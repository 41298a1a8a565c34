import { Button, Form, type FormInstance } from 'antd';
import { findKnownService, type KnownServiceName, presetOptions } from '@tongtu/contract/known-services';
import { useState } from 'react';
import { mappingFormText } from '../../../text/devices/mapping-form.ts';
import type { MappingFields, MappingGroup } from './mapping-fields.ts';
import styles from './mapping-dialog.module.css';
import { freePrefix } from './free-prefix.ts';
import { morePresets, type ServicePreset, servicePresets } from './service-presets.ts';

type PresetRowProps = {
  form: FormInstance<MappingFields>;
  group: MappingGroup;
  takenPrefixes: ReadonlySet<string>;
  /** The service that the form is filled in for. */
  service: KnownServiceName | undefined;
  onService: (service: KnownServiceName | undefined) => void;
};

const allPresets = [servicePresets, morePresets].flatMap((presets) => Object.values(presets).flat());
const presetNames = new Set(allPresets.map(({ name }) => name));

/** Fills in the form for a well-known service. It keeps a host or remark that the user has typed. */
export function PresetRow({ form, group, takenPrefixes, service, onService }: PresetRowProps) {
  const [isUnfolded, setIsUnfolded] = useState(false);
  const more = morePresets[group];

  function fill({ kind, port, prefix, name, host, service: chosen }: ServicePreset) {
    const { host: typedHost, remark } = form.getFieldsValue(true);
    form.setFieldsValue({
      kind,
      port: String(port),
      ...presetOptions(chosen),
      ...(prefix === undefined ? {} : { prefix: freePrefix(prefix, takenPrefixes) }),
      ...(remark && !presetNames.has(remark) ? {} : { remark: name }),
      ...(!typedHost && host !== undefined ? { host } : {}),
    });
    if (!typedHost && host === undefined) form.focusField('host');
    onService(chosen);
  }

  return (
    <Form.Item label={mappingFormText.presets} className={styles.presetRow ?? ''} extra={<Advice service={service} />}>
      <div className={styles.presets}>
        {[...servicePresets[group], ...(isUnfolded ? more : [])].map((preset) => (
          <Button key={preset.name} size="small" shape="round" onClick={() => fill(preset)}>
            {preset.name}
          </Button>
        ))}
        {more.length > 0 && (
          <Button size="small" type="link" aria-expanded={isUnfolded} onClick={() => setIsUnfolded(!isUnfolded)}>
            {isUnfolded ? mappingFormText.fewerPresets : mappingFormText.morePresets}
          </Button>
        )}
      </div>
    </Form.Item>
  );
}

/** What has to be set in the service itself. */
function Advice({ service }: { service: KnownServiceName | undefined }) {
  const { name, advice } = findKnownService(service) ?? {};
  if (name === undefined || advice === undefined) return null;
  return <span className={styles.presetAdvice}>{mappingFormText.presetAdvice(name, advice)}</span>;
}
