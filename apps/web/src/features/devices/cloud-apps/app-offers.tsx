import { Button } from 'antd';
import type { CloudAppOffer } from '@tongtu/contract';
import { useId } from 'react';
import { appKindWords, appOffersText } from '../../../text/cloud-apps/cloud-apps.ts';
import { timeTexts } from '../../../text/time.ts';
import { RelativeTime } from '../../../ui/time/relative-time.tsx';
import { ConfirmedButton } from '../../confirm/confirmed-button.tsx';
import { useMutationToast } from '../../confirm/use-mutation-toast.ts';
import styles from '../access-requests/access-requests.module.css';
import { useAcceptOffer, useAppOffers, useDeclineOffer } from './use-app-offers.ts';

/** The apps of others that wait for the user's answer. Shows nothing when there are none. */
export function AppOffers() {
  const titleId = useId();
  const { data: offers = [] } = useAppOffers();
  if (offers.length === 0) return null;
  return (
    <section className={styles.panel} aria-labelledby={titleId}>
      <h2 id={titleId}>
        {appOffersText.title} <small>{offers.length}</small>
      </h2>
      <ul className={styles.list}>
        {offers.map((offer) => (
          <OfferRow key={offer.id} offer={offer} />
        ))}
      </ul>
    </section>
  );
}

function OfferRow({ offer }: { offer: CloudAppOffer }) {
  const { id, name, owner, kind } = offer;
  const toastOutcome = useMutationToast();
  const accept = useAcceptOffer();
  const decline = useDeclineOffer();
  return (
    <li className={styles.row} aria-label={appOffersText.label(owner, name)}>
      <div className={styles.what}>
        <span>
          <bdi className={styles.account}>{owner}</bdi> {appOffersText.offers} <bdi>{name}</bdi>
        </span>
        <span className={styles.facts}>
          <span>{appKindWords[kind]}</span>
          <RelativeTime {...timeTexts(offer.created_at)} />
        </span>
      </div>
      <div className={styles.actions}>
        <Button
          type="primary"
          loading={accept.isPending}
          onClick={() => toastOutcome(accept.mutateAsync(id), appOffersText.accepted(name))}
          aria-label={appOffersText.acceptLabel(name)}
        >
          {appOffersText.accept}
        </Button>
        <ConfirmedButton
          question={{
            title: appOffersText.declineTitle(name),
            text: appOffersText.declineText(owner),
            confirm: appOffersText.decline,
          }}
          run={() => decline.mutateAsync(id)}
          isRunning={decline.isPending}
          done={appOffersText.declined(name)}
          aria-label={appOffersText.declineLabel(name)}
        />
      </div>
    </li>
  );
}
