import { PlusOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import type { Place } from '@tongtu/contract';
import { hasRole } from '@tongtu/contract/roles';
import { useState } from 'react';
import { Link } from 'react-router';
import { useProfile } from '../../../../api/index.ts';
import { paths, withQuery } from '../../../../routing/paths.ts';
import { placesText } from '../../../../text/shop/keys.ts';
import { ConfirmedButton } from '../../../confirm/confirmed-button.tsx';
import { Loaded } from '../../loaded.tsx';
import styles from '../../shop.module.css';
import { useDeletePlace, usePlaces } from '../use-keys.ts';
import { Figures } from './figures.tsx';
import { addFigures, figuresOf } from './place-figures.ts';
import { PlaceDialog } from './place-dialog.tsx';

/** The places that the user sees, with what was sold at each. */
export function PlacesView() {
  const profile = useProfile();
  const isStaff = profile !== undefined && hasRole(profile, 'staff');
  const places = usePlaces();
  const [edited, setEdited] = useState<Place | 'new'>();
  return (
    <section className={`${styles.panel} ${styles.stack}`} aria-label={placesText.title}>
      <div className={styles.pageHead}>
        <h2 className={styles.panelTitle}>{placesText.title}</h2>
        {isStaff && (
          <Button icon={<PlusOutlined aria-hidden />} onClick={() => setEdited('new')}>
            {placesText.create}
          </Button>
        )}
      </div>
      <Loaded query={places} failed={placesText.failed}>
        {(list) =>
          list.length === 0 ? (
            <p className={styles.quiet}>{isStaff ? placesText.emptyStaff : placesText.emptyPromoter}</p>
          ) : (
            <>
              {list.length > 1 && <Figures title={placesText.figuresTitle} figures={addFigures(list.map(figuresOf))} />}
              <p className={styles.quiet}>{placesText.soldHint}</p>
              <ul className={styles.list}>
                {list.map((place) => (
                  <PlaceRow key={place.id} place={place} isStaff={isStaff} onEdit={() => setEdited(place)} />
                ))}
              </ul>
            </>
          )
        }
      </Loaded>
      {edited !== undefined && (
        <PlaceDialog place={edited === 'new' ? undefined : edited} onClose={() => setEdited(undefined)} />
      )}
    </section>
  );
}

type PlaceRowProps = { place: Place; isStaff: boolean; onEdit: () => void };

function PlaceRow({ place, isStaff, onEdit }: PlaceRowProps) {
  const { id, name, note, promoter } = place;
  const figures = figuresOf(place);
  const keysPath = withQuery(paths.productKeys, { view: 'keys', place: String(id) });
  return (
    <li className={styles.row} aria-label={name}>
      <div className={styles.about}>
        <div className={styles.head}>
          <strong>{name}</strong>
          <span className={styles.quiet}>
            {promoter ? placesText.promoterOf(promoter.username) : placesText.noPromoter}
          </span>
        </div>
        {note !== '' && <div className={styles.facts}>{note}</div>}
        <Figures title={name} figures={figures} />
      </div>
      <div className={styles.actions}>
        <Link to={keysPath} aria-label={placesText.showKeys(name)}>
          {placesText.keys}
        </Link>
        {isStaff && (
          <Button aria-label={placesText.editLabel(name)} onClick={onEdit}>
            {placesText.edit}
          </Button>
        )}
        {isStaff && figures.made === 0 && <DeleteButton place={place} />}
      </div>
    </li>
  );
}

function DeleteButton({ place: { id, name } }: { place: Place }) {
  const remove = useDeletePlace();
  return (
    <ConfirmedButton
      danger
      question={{ title: placesText.removeTitle(name), text: placesText.removeText, confirm: placesText.remove }}
      run={() => remove.mutateAsync(id)}
      isRunning={remove.isPending}
      done={placesText.removed(name)}
      aria-label={placesText.removeLabel(name)}
    />
  );
}
