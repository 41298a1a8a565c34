import { Checkbox, Form } from 'antd';
import { alertFormText, alertsText } from '../../../../text/account/alerts.ts';
import { useAlertEvents } from './use-alert-events.ts';
import styles from '../alerts.module.css';

/** The events that cause an alert. */
export function EventsField() {
  const options = useAlertEvents().map((value) => ({ value, label: alertsText.event[value] }));
  return (
    <Form.Item
      name="events"
      label={alertsText.events}
      // Not `required`: antd would add an attribute to the group that only fields may have.
      rules={[{ type: 'array', min: 1, message: alertFormText.eventsRequired }]}
    >
      <Checkbox.Group options={options} className={styles.choices ?? ''} />
    </Form.Item>
  );
}
