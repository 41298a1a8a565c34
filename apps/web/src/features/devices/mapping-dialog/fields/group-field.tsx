import { Form, type FormInstance, Segmented } from 'antd';
import { mappingFormText } from '../../../../text/devices/mapping-form.ts';
import styles from '../mapping-dialog.module.css';
import { groupOf, type MappingFields, type MappingGroup } from '../mapping-fields.ts';

const options = (['web', 'port'] as const).map((value) => ({ value, label: mappingFormText.groups[value] }));

/** The first choice in the form: a page for the browser, or a port for other programs. */
export function GroupField({ form, group }: { form: FormInstance<MappingFields>; group: MappingGroup }) {
  function onChange(chosen: MappingGroup) {
    if (groupOf(form.getFieldValue('kind')) === chosen) return;
    form.setFieldsValue({ kind: chosen === 'web' ? 'http' : 'tcp' });
    // A mistake in the address may be none for the other kind, so its messages are removed.
    form.setFields([
      { name: 'host', errors: [] },
      { name: 'port', errors: [] },
    ]);
  }

  return (
    <Form.Item
      name="group"
      className={styles.above ?? ''}
      extra={<span className={styles.fieldHint}>{mappingFormText.groupHint[group]}</span>}
    >
      <Segmented<MappingGroup> block options={options} onChange={onChange} aria-label={mappingFormText.group} />
    </Form.Item>
  );
}
