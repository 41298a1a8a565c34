import { Segmented, Skeleton } from 'antd';
import type { Registration, RegistrationSettings } from '@tongtu/contract';
import { errorText } from '../../api/index.ts';
import { registrationText } from '../../text/manage.ts';
import { LoadFailure } from '../../ui/page/load-failure.tsx';
import { useMutationToast } from '../confirm/use-mutation-toast.ts';
import styles from './manage.module.css';
import { useRegistration, useSetRegistration } from './use-managed-users.ts';

const choices = ['open', 'invitation', 'closed'] as const;

function hintOf(registration: Registration, { methods }: RegistrationSettings): string {
  if (registration !== 'open') return registrationText.hints[registration];
  const words = methods.map((method) => registrationText.methods[method]);
  return registrationText.hints.open(words.join(registrationText.or));
}

/** Who may make an account. */
export function RegistrationSetting() {
  const query = useRegistration();
  const toastOutcome = useMutationToast();
  const save = useSetRegistration();
  const { data } = query;
  return (
    <section className={styles.panel} aria-labelledby="registration">
      <h2 id="registration" className={styles.panelTitle}>
        {registrationText.title}
      </h2>
      {query.isPending && <Skeleton active title={false} paragraph={{ rows: 1 }} />}
      {query.isError && <LoadFailure title={registrationText.failed} text={errorText(query.error)} query={query} />}
      {data && (
        <>
          <Segmented<Registration>
            aria-label={registrationText.title}
            disabled={save.isPending}
            options={choices.map((value) => ({
              value,
              label: registrationText.options[value],
              disabled: value === 'open' && data.methods.length === 0 && data.registration !== 'open',
            }))}
            value={save.variables !== undefined && save.isPending ? save.variables : data.registration}
            onChange={(value) => toastOutcome(save.mutateAsync(value), registrationText.saved)}
          />
          {!(data.registration === 'open' && data.methods.length === 0) && (
            <p className={styles.registrationHint}>{hintOf(data.registration, data)}</p>
          )}
          {data.methods.length === 0 && <p className={styles.registrationHint}>{registrationText.noMethod}</p>}
        </>
      )}
    </section>
  );
}
