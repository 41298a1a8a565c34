import { Button } from 'antd';
import type { EnrolmentKey, Reply } from '@tongtu/contract';
import { useState } from 'react';
import { enrolmentKeysText } from '../../../text/devices/devices.ts';
import { useEnrolmentKeys } from '../../enrolment-keys/use-enrolment-keys.ts';
import { Loaded } from '../loaded.tsx';
import { SectionCard } from '../section-card.tsx';
import styles from '../account.module.css';
import { CreateEnrolmentKeyDialog } from './create-enrolment-key-dialog.tsx';
import { EnrolmentKeyRow } from './enrolment-key-row.tsx';
import { ShownKeyDialog } from './shown-key-dialog.tsx';

export function EnrolmentKeysSection() {
  const keys = useEnrolmentKeys();
  const [isCreating, setIsCreating] = useState(false);
  const [created, setCreated] = useState<Reply<'POST /api/user/enrolment_keys/'>>();
  return (
    <SectionCard
      name="enrolment-keys"
      title={enrolmentKeysText.title}
      intro={enrolmentKeysText.intro}
      extra={
        <Button onClick={() => setIsCreating(true)} aria-label={enrolmentKeysText.createTitle}>
          {enrolmentKeysText.create}
        </Button>
      }
    >
      <Loaded query={keys}>{(known) => <List keys={known} />}</Loaded>
      {isCreating && <CreateEnrolmentKeyDialog onClose={() => setIsCreating(false)} onCreated={setCreated} />}
      {created && <ShownKeyDialog created={created} onClose={() => setCreated(undefined)} />}
    </SectionCard>
  );
}

/** Those that still enrol stand first. */
function List({ keys }: { keys: EnrolmentKey[] }) {
  if (keys.length === 0) return <p className={styles.empty}>{enrolmentKeysText.empty}</p>;
  const isActive = ({ state }: EnrolmentKey) => state === 'active';
  const inOrder = [...keys.filter(isActive), ...keys.filter((key) => !isActive(key))];
  return inOrder.map((key) => <EnrolmentKeyRow key={key.id} enrolmentKey={key} />);
}
