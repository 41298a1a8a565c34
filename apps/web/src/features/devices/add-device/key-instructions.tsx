import { Button, Spin } from 'antd';
import { type ReactNode, useState } from 'react';
import { errorText } from '../../../api/index.ts';
import { addDeviceText, enrolmentKeysText } from '../../../text/devices/devices.ts';
import { LoadFailure } from '../../../ui/page/load-failure.tsx';
import styles from '../../enrolment-keys/enrolment-keys.module.css';
import type { InstallInput } from '../../enrolment-keys/install-commands.ts';
import { KeyCommands } from '../../enrolment-keys/key-commands.tsx';
import { KeyForm } from './key-form.tsx';
import { type EnrolmentKeyFields, useKeyToPaste } from '../../enrolment-keys/use-enrolment-keys.ts';

/** The default: one device within the hour. */
const defaultFields: EnrolmentKeyFields = {
  name: enrolmentKeysText.defaultName,
  device_name: '',
  is_reusable: false,
  valid_hours: 1,
};

/** The commands with a new enrolment key, and a form for another key. */
export function KeyInstructions({ children }: { children: (input: InstallInput) => ReactNode }) {
  const [fields, setFields] = useState(defaultFields);
  const [isChanging, setIsChanging] = useState(false);
  const key = useKeyToPaste(fields);
  const { is_reusable: isReusable, valid_hours: validHours } = fields;
  const about = isReusable ? addDeviceText.keyReusable : addDeviceText.keyOnce;

  function change(next: EnrolmentKeyFields) {
    setFields(next);
    setIsChanging(false);
  }
  return (
    <>
      {key.data !== undefined && <KeyCommands enrolmentKey={key.data}>{children}</KeyCommands>}
      {key.isPending && <Spin />}
      {key.isError && key.data === undefined && (
        <LoadFailure title={addDeviceText.failed} text={errorText(key.error)} query={key} />
      )}
      {isChanging ? (
        <KeyForm initial={fields} onSubmit={change} onCancel={() => setIsChanging(false)} />
      ) : (
        <p className={styles.note}>
          {about(enrolmentKeysText.valid(validHours))}
          <Button type="link" size="small" onClick={() => setIsChanging(true)} aria-label={addDeviceText.changeLabel}>
            {addDeviceText.change}
          </Button>
        </p>
      )}
    </>
  );
}
