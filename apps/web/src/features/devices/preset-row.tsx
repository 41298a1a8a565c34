import { Button, Form, type FormInstance } from 'antd';
import { mappingText } from '../../text/devices.ts';
import type { MappingFields } from './mapping-fields.ts';
import styles from './mapping-dialog.module.css';
import { freePrefix, type ServicePreset, servicePresets } from './service-presets.ts';

type PresetRowProps = { form: FormInstance<MappingFields>; takenPrefixes: ReadonlySet<string> };

/** Fills in what a well-known service needs; a host that was typed stays. */
export function PresetRow({ form, takenPrefixes }: PresetRowProps) {
  function fill(preset: ServicePreset) {
    const typedHost: unknown = form.getFieldValue('host');
    const { kind, port, name, host } = preset;
    form.setFieldsValue({
      kind,
      port,
      remark: name,
      prefix: freePrefix(preset.prefix, takenPrefixes),
      ...(!typedHost && host !== undefined ? { host } : {}),
    });
    if (!typedHost && host === undefined) form.focusField('host');
  }

  return (
    <Form.Item label={mappingText.presets}>
      <div className={styles.presets}>
        {servicePresets.map((preset) => (
          <Button key={preset.name} size="small" shape="round" onClick={() => fill(preset)}>
            {preset.name}
          </Button>
        ))}
      </div>
    </Form.Item>
  );
}
