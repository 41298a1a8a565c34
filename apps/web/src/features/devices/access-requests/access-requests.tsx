import { Button, Select } from 'antd';
import type { AccessRequest } from '@tongtu/contract';
import { useId, useState } from 'react';
import { accessRequestsText } from '../../../text/account/access-requests.ts';
import { timeTexts } from '../../../text/time.ts';
import { Mono } from '../../../ui/mono.tsx';
import { RelativeTime } from '../../../ui/time/relative-time.tsx';
import { useConfirm } from '../../../ui/use-confirm.ts';
import { useMutationToast } from '../../confirm/use-mutation-toast.ts';
import styles from './access-requests.module.css';
import { useAccessRequests, useAllowRequest, useRefuseRequest } from './use-access-requests.ts';

const validityOptions = accessRequestsText.validities.map(({ word, hours }) => ({ value: hours ?? 0, label: word }));

function RequestRow({ request }: { request: AccessRequest }) {
  const { id, account, domain, message } = request;
  const confirm = useConfirm();
  const toastOutcome = useMutationToast();
  const allow = useAllowRequest();
  const refuse = useRefuseRequest();
  const [hours, setHours] = useState(0);

  const allowNow = () =>
    toastOutcome(allow.mutateAsync({ id, hours: hours === 0 ? null : hours }), accessRequestsText.allowed(account));
  const confirmRefusal = () =>
    confirm({
      title: accessRequestsText.refuseTitle(account),
      text: accessRequestsText.refuseText,
      confirm: accessRequestsText.refuse,
      onConfirm: () => toastOutcome(refuse.mutateAsync(id), accessRequestsText.refused(account)),
    });

  return (
    <li className={styles.row} aria-label={accessRequestsText.label(account, domain)}>
      <div className={styles.what}>
        <span>
          <bdi className={styles.account}>{account}</bdi> {accessRequestsText.asks} <Mono>{domain}</Mono>
        </span>
        <span className={styles.facts}>
          <RelativeTime {...timeTexts(request.created_at)} />
          {message !== '' && <bdi>{accessRequestsText.message(message)}</bdi>}
        </span>
      </div>
      <div className={styles.actions}>
        <Select
          value={hours}
          options={validityOptions}
          onChange={setHours}
          aria-label={accessRequestsText.validity}
          className={styles.validity ?? ''}
        />
        <Button
          type="primary"
          loading={allow.isPending}
          onClick={allowNow}
          aria-label={accessRequestsText.allowLabel(account, domain)}
        >
          {accessRequestsText.allow}
        </Button>
        <Button
          loading={refuse.isPending}
          onClick={confirmRefusal}
          aria-label={accessRequestsText.refuseLabel(account, domain)}
        >
          {accessRequestsText.refuse}
        </Button>
      </div>
    </li>
  );
}

/** The pending access requests of one mapping or of all. Shows nothing when there are none. */
export function AccessRequests({ mappingId }: { mappingId?: number }) {
  const titleId = useId();
  const { data: requests = [] } = useAccessRequests();
  const shown = mappingId === undefined ? requests : requests.filter(({ mapping }) => mapping === mappingId);
  if (shown.length === 0) return null;
  return (
    <section className={styles.panel} aria-labelledby={titleId}>
      <h2 id={titleId}>
        {accessRequestsText.title} <small>{shown.length}</small>
      </h2>
      <ul className={styles.list}>
        {shown.map((request) => (
          <RequestRow key={request.id} request={request} />
        ))}
      </ul>
    </section>
  );
}
