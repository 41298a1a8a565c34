import { Form, Radio, Select } from 'antd';
import { enrolmentKeysText } from '../../text/devices/devices.ts';

const offeredHours = [1, 24, 7 * 24, 30 * 24, 365 * 24];
const validHoursOptions = offeredHours.map((hours) => ({ value: hours, label: enrolmentKeysText.valid(hours) }));
/** Whether a key enrols several devices. */
const kindOptions = [
  { value: false, label: enrolmentKeysText.once },
  { value: true, label: enrolmentKeysText.reusable },
];

/** How many devices a key enrols, and for how long. */
export function KeyLimitFields() {
  return (
    <>
      <Form.Item name="is_reusable" label={enrolmentKeysText.kind}>
        <Radio.Group options={kindOptions} />
      </Form.Item>
      <Form.Item name="valid_hours" label={enrolmentKeysText.validFor}>
        <Select options={validHoursOptions} />
      </Form.Item>
    </>
  );
}
