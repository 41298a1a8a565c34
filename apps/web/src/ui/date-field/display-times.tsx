import { Form } from 'antd';
import { uiText } from '../ui-text.ts';
import { DateField } from './date-field.tsx';
import styles from './date-field.module.css';
import { dateRule } from './date-rule.ts';
import { readDate } from './date-text.ts';

/** Unreadable times have their own messages. */
function isBefore(startsAt: string, endsAt: string): boolean {
  const [start, end] = [readDate('datetime', startsAt), readDate('datetime', endsAt)];
  return start.type !== 'read' || end.type !== 'read' || start.date < end.date;
}

/** The fields `startsAt` and `endsAt` of a form: from when until when something is displayed. Both may be empty. */
export function DisplayTimes() {
  return (
    <div className={styles.displayTimes}>
      <Form.Item name="startsAt" label={uiText.startsAt} extra={uiText.startsAtHint} rules={[dateRule('datetime')]}>
        <DateField kind="datetime" />
      </Form.Item>
      <Form.Item
        name="endsAt"
        label={uiText.endsAt}
        extra={uiText.endsAtHint}
        dependencies={['startsAt']}
        rules={[
          dateRule('datetime'),
          ({ getFieldValue }) => ({
            async validator(_rule, endsAt: string) {
              const startsAt = getFieldValue('startsAt') as string; // the other field
              if (!isBefore(startsAt, endsAt)) throw new Error(uiText.endsBeforeStart);
            },
          }),
        ]}
      >
        <DateField kind="datetime" />
      </Form.Item>
    </div>
  );
}
