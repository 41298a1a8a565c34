import { Checkbox, Form, type FormInstance } from 'antd';
import { mappingFormText } from '../../../../text/devices/mapping-form.ts';
import { DateField } from '../../../../ui/date-field/date-field.tsx';
import { dateRule } from '../../../../ui/date-field/date-rule.ts';
import { readDate } from '../../../../ui/date-field/date-text.ts';
import styles from '../mapping-dialog.module.css';
import type { MappingFields } from '../mapping-fields.ts';

const dayOptions = mappingFormText.weekdays.map((day, index) => ({
  value: index + 1,
  label: <span aria-label={mappingFormText.weekday(day)}>{day}</span>,
}));

/** False for invalid days, whose own fields show the mistake. */
function isAfter(opensOn: string, closesOn: string): boolean {
  const [first, last] = [readDate('date', opensOn), readDate('date', closesOn)];
  return first.type === 'read' && last.type === 'read' && first.date > last.date;
}

/** Read while the rule runs, because the form has a change before the component renders again. */
type AskedForm = Pick<FormInstance, 'getFieldValue'>;

function orderRule({ getFieldValue }: AskedForm) {
  return {
    async validator(_rule: unknown, closesOn: string): Promise<void> {
      const opensOn = getFieldValue('opensOn') as string; // the other field of the pair
      if (isAfter(opensOn, closesOn)) throw new Error(mappingFormText.closesBeforeOpening);
    },
  };
}

function Dates() {
  const field = { kind: 'date', placeholder: mappingFormText.anyDay, className: styles.picker ?? '' } as const;
  return (
    <Form.Item
      label={mappingFormText.opening}
      extra={<span className={styles.fieldHint}>{mappingFormText.openingHint}</span>}
    >
      <div className={styles.span}>
        <Form.Item name="opensOn" noStyle rules={[dateRule('date')]}>
          <DateField {...field} aria-label={mappingFormText.opensOn} />
        </Form.Item>
        <span>{mappingFormText.until}</span>
        <Form.Item
          name="closesOn"
          noStyle
          dependencies={['opensOn']}
          validateFirst
          rules={[dateRule('date'), orderRule]}
        >
          <DateField {...field} aria-label={mappingFormText.closesOn} />
        </Form.Item>
      </div>
    </Form.Item>
  );
}

/** Not `required`, which antd also sets on the group, where it has no meaning. */
async function checkDays(_rule: unknown, days: readonly number[]): Promise<void> {
  if (days.length === 0) throw new Error(mappingFormText.daysRequired);
}

function endRule({ getFieldValue }: AskedForm) {
  return {
    async validator(_rule: unknown, to: string): Promise<void> {
      // Midnight to midnight is the whole day. Any other time given twice is a mistake.
      if (to === getFieldValue('from') && to !== '00:00') throw new Error(mappingFormText.sameTimes);
    },
  };
}

function Hours() {
  async function checkTime(_rule: unknown, time: string): Promise<void> {
    if (time === '') throw new Error(mappingFormText.timeRequired);
  }
  const field = { kind: 'time', allowClear: false, className: styles.picker ?? '' } as const;
  return (
    <>
      <Form.Item name="days" className={styles.above ?? ''} rules={[{ validator: checkDays }]}>
        <Checkbox.Group options={dayOptions} aria-label={mappingFormText.days} />
      </Form.Item>
      <Form.Item extra={<span className={styles.fieldHint}>{mappingFormText.hoursHint}</span>}>
        <div className={styles.span}>
          <Form.Item name="from" noStyle rules={[{ validator: checkTime }, dateRule('time')]}>
            <DateField {...field} aria-label={mappingFormText.from} />
          </Form.Item>
          <span>{mappingFormText.until}</span>
          <Form.Item
            name="to"
            noStyle
            dependencies={['from']}
            rules={[{ validator: checkTime }, dateRule('time'), endRule]}
          >
            <DateField {...field} aria-label={mappingFormText.to} />
          </Form.Item>
        </div>
      </Form.Item>
    </>
  );
}

/** When visitors are let in: a first and a last day, and hours. */
export function OpeningFields({ fields }: { fields: MappingFields }) {
  return (
    <>
      <Dates />
      <Form.Item
        name="hasHours"
        label={mappingFormText.hours}
        valuePropName="checked"
        className={fields.hasHours ? (styles.above ?? '') : ''}
      >
        <Checkbox>{mappingFormText.hasHours}</Checkbox>
      </Form.Item>
      {fields.hasHours && <Hours />}
    </>
  );
}
