import { AppError } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import { announceCloudApps } from '../live/index.ts';
import { acceptOffer, declineOffer, lockAppOfOffer } from './app-offer-store.ts';

type OwnOffer = { id: number; userId: number };

/** The account may open the app from now on. Throws cloud-app.offer-not-found. */
export async function acceptAppOffer(db: Db, offer: OwnOffer): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const app = await lockAppOfOffer(tx, offer);
    // Looked at again under the lock: the owner may have taken it back meanwhile.
    if (!app || !(await acceptOffer(tx, offer))) notFound();
    await announceCloudApps(tx, [app.ownerId, offer.userId]);
  });
}

/** The account does not see the offer again. Its owner is not notified. Throws cloud-app.offer-not-found. */
export async function declineAppOffer(db: Db, offer: OwnOffer): Promise<void> {
  await db.transaction().execute(async (tx) => {
    if (!(await declineOffer(tx, offer))) notFound();
    await announceCloudApps(tx, [offer.userId]);
  });
}

function notFound(): never {
  throw new AppError('cloud-app.offer-not-found');
}
