import { Checkbox, Form } from 'antd';
import type { CloudApp, WakeTime } from '@tongtu/contract';
import { errorText } from '../../../api/index.ts';
import { wakingText } from '../../../text/cloud-apps/waking.ts';
import { DateField } from '../../../ui/date-field/date-field.tsx';
import { dateRule } from '../../../ui/date-field/date-rule.ts';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { useSubmit } from '../../../ui/fields/use-submit.ts';
import { useToast } from '../../../ui/use-toast.ts';
import { Problem } from '../../confirm/problem.tsx';
import { useChangeWakeTimes } from './use-host.ts';

const dialogWidthPx = 420;
const initial: WakeTime = { at: '07:30', days: [1, 2, 3, 4, 5] };

const dayOptions = wakingText.weekdays.map((day, index) => ({
  value: index + 1,
  label: <span aria-label={wakingText.weekday(day)}>{day}</span>,
}));

/** Not `required`, which antd also sets on the group, where it has no meaning. */
async function checkDays(_rule: unknown, days: readonly number[]): Promise<void> {
  if (days.length === 0) throw new Error(wakingText.daysRequired);
}

async function checkTime(_rule: unknown, at: string): Promise<void> {
  if (at === '') throw new Error(wakingText.timeRequired);
}

/** Adds a time to the schedule. */
export function WakeTimeDialog({ app, onClose }: { app: CloudApp; onClose: () => void }) {
  const [form] = Form.useForm<WakeTime>();
  const save = useChangeWakeTimes(app.id);
  const toast = useToast();

  const add = useSubmit({
    send: ({ at, days }: WakeTime) =>
      save.mutateAsync((times) => [...times, { at, days: days.toSorted((a, b) => a - b) }]),
    onSuccess: () => toast.success(wakingText.added),
    onFormDone: onClose,
    onUnseenFailure: (error) => toast.error(errorText(error)),
  });
  return (
    <Dialog
      title={wakingText.addTitle}
      width={dialogWidthPx}
      okText={wakingText.save}
      confirmLoading={save.isPending}
      onOk={() => form.submit()}
      onClose={onClose}
      hasUnsavedInput={() => JSON.stringify(form.getFieldsValue()) !== JSON.stringify(initial)}
    >
      <Form<WakeTime>
        form={form}
        layout="vertical"
        requiredMark={false}
        initialValues={initial}
        onFinish={(time) => void add(time)}
      >
        <Form.Item name="at" label={wakingText.time} rules={[{ validator: checkTime }, dateRule('time')]}>
          <DateField kind="time" allowClear={false} aria-label={wakingText.time} />
        </Form.Item>
        <Form.Item name="days" label={wakingText.days} rules={[{ validator: checkDays }]}>
          <Checkbox.Group options={dayOptions} aria-label={wakingText.days} />
        </Form.Item>
        <Problem error={save.error} />
      </Form>
    </Dialog>
  );
}
