import { Button, Form, type FormInstance } from 'antd';
import { mappingText } from '../../text/devices.ts';
import type { MappingFields } from './mapping-fields.ts';
import styles from './mapping-dialog.module.css';
import { freePrefix, type ServicePreset, servicePresets } from './service-presets.ts';

type PresetRowProps = { form: FormInstance<MappingFields>; takenPrefixes: ReadonlySet<string> };

/** Fills in what a well-known service needs; a host or remark that was typed stays. */
export function PresetRow({ form, takenPrefixes }: PresetRowProps) {
  function fill(preset: ServicePreset) {
    const typedHost: unknown = form.getFieldValue('host');
    const { kind, port, name, host } = preset;
    const remark: unknown = form.getFieldValue('remark');
    const isOwnRemark = Boolean(remark) && !servicePresets.some((each) => each.name === remark);
    form.setFieldsValue({
      kind,
      port: String(port),
      prefix: freePrefix(preset.prefix, takenPrefixes),
      ...(isOwnRemark ? {} : { remark: name }),
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
