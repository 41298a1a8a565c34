import { Button, Form, type FormInstance } from 'antd';
import { mappingFormText } from '../../../text/devices/mapping-form.ts';
import type { MappingFields, MappingGroup } from './mapping-fields.ts';
import styles from './mapping-dialog.module.css';
import { freePrefix, type ServicePreset, servicePresets } from './service-presets.ts';

type PresetRowProps = {
  form: FormInstance<MappingFields>;
  group: MappingGroup;
  takenPrefixes: ReadonlySet<string>;
};

const presetNames = new Set(Object.values(servicePresets).flatMap((presets) => presets.map(({ name }) => name)));

/** Fills in the form for a well-known service. It keeps a host or remark that the user has typed. */
export function PresetRow({ form, group, takenPrefixes }: PresetRowProps) {
  function fill({ kind, port, prefix, name, host }: ServicePreset) {
    const { host: typedHost, remark } = form.getFieldsValue(true);
    form.setFieldsValue({
      kind,
      port: String(port),
      ...(prefix === undefined ? {} : { prefix: freePrefix(prefix, takenPrefixes) }),
      ...(remark && !presetNames.has(remark) ? {} : { remark: name }),
      ...(!typedHost && host !== undefined ? { host } : {}),
    });
    if (!typedHost && host === undefined) form.focusField('host');
  }

  return (
    <Form.Item label={mappingFormText.presets} className={styles.presetRow ?? ''}>
      <div className={styles.presets}>
        {servicePresets[group].map((preset) => (
          <Button key={preset.name} size="small" shape="round" onClick={() => fill(preset)}>
            {preset.name}
          </Button>
        ))}
      </div>
    </Form.Item>
  );
}
